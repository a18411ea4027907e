-- What the background has to do.

-- name: put
INSERT INTO job (user_id, kind, session_id, due_at) VALUES (:user_id, :kind, :session_id, :due_at)
ON CONFLICT (user_id, session_id, kind) DO UPDATE
SET due_at = min(due_at, excluded.due_at), asked = asked + 1

-- name: due
SELECT j.number, o.number, o.user_id, j.kind, j.session_id, j.due_at, j.attempts, j.asked
FROM job j JOIN owner o USING (user_id)
WHERE j.due_at <= :now AND j.kind IN (SELECT value FROM json_each(:kinds))
ORDER BY j.due_at, j.number LIMIT :limit

-- name: done
DELETE FROM job WHERE number = ? AND asked = ?

-- name: failed
UPDATE job SET attempts = attempts + 1, error = :error, due_at = :retry_at WHERE number = :number

-- name: state
SELECT count(*), max(error) FROM job

-- name: delete_session
DELETE FROM job WHERE user_id = ? AND session_id = ?
