-- Working memory (S3.1).

-- name: topic, for a user
SELECT current_topic, pending FROM working_memory
WHERE user_id = :user_id AND session_id = :session_id AND updated_at >= :since

-- name: set_topic, for a user
INSERT INTO working_memory (user_id, session_id, current_topic, created_at, updated_at)
VALUES (:user_id, :session_id, :topic, :at, :at)
ON CONFLICT (user_id, session_id) DO UPDATE SET current_topic = excluded.current_topic, updated_at = excluded.updated_at

-- name: get, for a user
SELECT session_id, current_topic, context_variables, turn_count, last_emotion, created_at,
    updated_at, open_message, analysed, pending
FROM working_memory WHERE user_id = :user_id AND session_id = :session_id

-- name: put, for a user
INSERT INTO working_memory (
    user_id, session_id, current_topic, context_variables, turn_count, last_emotion, created_at,
    updated_at, open_message, analysed, pending
) VALUES (
    :user_id, :session_id, :current_topic, :context_variables, :turn_count, :last_emotion,
    :created_at, :updated_at, :open_message, :analysed, :pending
)
ON CONFLICT (user_id, session_id) DO UPDATE SET
    current_topic = excluded.current_topic, context_variables = excluded.context_variables,
    turn_count = excluded.turn_count, last_emotion = excluded.last_emotion,
    created_at = excluded.created_at, updated_at = excluded.updated_at,
    open_message = excluded.open_message, analysed = excluded.analysed,
    pending = excluded.pending

-- name: count, for a user
-- Once until it is answered. Without RETURNING: with it, FTS5 would write what was entered so far.
INSERT INTO working_memory (
    user_id, session_id, turn_count, created_at, updated_at, open_message, pending
) VALUES (:user_id, :session_id, 1, :at, :at, :open, 1)
ON CONFLICT (user_id, session_id) DO UPDATE SET
    turn_count = working_memory.turn_count + CASE WHEN working_memory.open_message = :mark THEN 0 ELSE 1 END,
    pending = CASE WHEN working_memory.open_message = :mark THEN working_memory.pending ELSE 1 END,
    updated_at = CASE WHEN working_memory.updated_at < excluded.updated_at
                      THEN excluded.updated_at ELSE working_memory.updated_at END,
    open_message = excluded.open_message
WHERE excluded.open_message IS NULL OR excluded.open_message IS DISTINCT FROM working_memory.open_message

-- name: answered, for a user
UPDATE working_memory SET open_message = NULL, 
    updated_at = CASE WHEN updated_at < :at THEN :at ELSE updated_at END
WHERE user_id = :user_id AND session_id = :session_id AND open_message IS NOT NULL

-- name: delete, for a user
DELETE FROM working_memory WHERE user_id = :user_id AND session_id = :session_id

-- name: idle, for everybody
SELECT o.number, o.user_id, w.session_id
FROM working_memory w JOIN owner o USING (user_id)
WHERE w.updated_at < :before ORDER BY w.updated_at LIMIT :limit
