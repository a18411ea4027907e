-- Claims on jobs: whoever comes second does not wait for the first, and takes another.

-- name: lease, for a user
UPDATE job SET leased_by = :holder, leased_until = :until
WHERE user_id = :user_id AND number IN (
    SELECT number FROM job
    WHERE user_id = :user_id AND number = :number AND given_up_at IS NULL
        AND (leased_by IS NULL OR leased_until <= :begins OR leased_by = :holder
             OR leased_by {in texts gone})
    FOR UPDATE SKIP LOCKED
)
RETURNING number
