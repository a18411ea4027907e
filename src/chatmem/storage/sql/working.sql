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

-- name: delete, for a user
DELETE FROM working_memory WHERE user_id = :user_id AND session_id = :session_id

-- name: idle, for everybody
SELECT o.number, o.user_id, w.session_id
FROM working_memory w JOIN owner o USING (user_id)
WHERE w.updated_at < :before ORDER BY w.updated_at LIMIT :limit
