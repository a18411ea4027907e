-- What the background has to do.

-- name: put, for a user
-- One that nobody has begun, and that is due by then, is as it should be.
INSERT INTO job (user_id, kind, session_id, due_at) VALUES (:user_id, :kind, :session_id, :due_at)
ON CONFLICT (user_id, session_id, kind) DO UPDATE
SET due_at = CASE WHEN job.given_up_at IS NULL AND job.due_at < excluded.due_at
                  THEN job.due_at ELSE excluded.due_at END,
    attempts = CASE WHEN job.given_up_at IS NULL THEN job.attempts ELSE 0 END,
    asked = job.asked + 1, given_up_at = NULL
WHERE job.leased_by IS NOT NULL OR job.given_up_at IS NOT NULL OR excluded.due_at < job.due_at

-- name: due, for everybody
SELECT j.number, o.number, o.user_id, j.kind, j.session_id, j.due_at, j.attempts, j.asked
FROM job j JOIN owner o USING (user_id)
WHERE j.due_at <= :now AND j.given_up_at IS NULL
    AND j.kind {in texts kinds}
    AND (j.leased_by IS NULL OR j.leased_until <= :now OR j.leased_by = :holder
         OR j.leased_by {in texts gone})
ORDER BY j.due_at, j.number LIMIT :limit

-- name: holders, for everybody
SELECT DISTINCT leased_by FROM job WHERE leased_by IS NOT NULL

-- name: lease, for a user
UPDATE job SET leased_by = :holder, leased_until = :until
WHERE user_id = :user_id AND number = :number AND given_up_at IS NULL
    AND (leased_by IS NULL OR leased_until <= :begins OR leased_by = :holder
         OR leased_by {in texts gone})
RETURNING number

-- name: done, for a user
DELETE FROM job WHERE user_id = :user_id AND number = :number AND asked = :asked

-- name: asked_again, for a user
UPDATE job SET leased_by = NULL, leased_until = NULL, attempts = 0, error = NULL WHERE user_id = :user_id AND number = :number

-- name: postponed, for a user
UPDATE job
SET leased_by = NULL, leased_until = NULL, due_at = CASE WHEN asked = :asked THEN :due_at ELSE due_at END
WHERE user_id = :user_id AND number = :number

-- name: failed, for a user
UPDATE job
SET attempts = attempts + 1, error = :error, due_at = :retry_at,
    leased_by = NULL, leased_until = NULL
WHERE user_id = :user_id AND number = :number

-- name: give_up, for a user
UPDATE job
SET attempts = attempts + 1, error = :error, given_up_at = :at,
    leased_by = NULL, leased_until = NULL
WHERE user_id = :user_id AND number = :number

-- name: of_user, for a user
SELECT number, kind, session_id,
    CASE WHEN given_up_at IS NOT NULL THEN 'failed' WHEN leased_until > :now THEN 'running'
         ELSE 'waiting' END,
    due_at, attempts, error
FROM job
WHERE user_id = :user_id ORDER BY given_up_at IS NULL, due_at, number LIMIT :limit

-- name: retry, for a user
UPDATE job SET given_up_at = NULL, attempts = 0, due_at = :at
WHERE user_id = :user_id AND number = :number AND given_up_at IS NOT NULL
RETURNING number

-- name: discard, for a user
DELETE FROM job WHERE user_id = :user_id AND number = :number AND given_up_at IS NOT NULL RETURNING number

-- name: state, for everybody
SELECT count(*) - count(given_up_at), max(CASE WHEN given_up_at IS NULL THEN error END),
    count(given_up_at)
FROM job

-- name: delete_session, for a user
DELETE FROM job WHERE user_id = :user_id AND session_id = :session_id
