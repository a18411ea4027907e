-- name: topic
SELECT current_topic FROM working_memory WHERE user_id = ? AND session_id = ?

-- name: set_topic
INSERT INTO working_memory (user_id, session_id, current_topic, created_at, updated_at)
VALUES (:user_id, :session_id, :topic, :at, :at)
ON CONFLICT DO UPDATE SET current_topic = excluded.current_topic, updated_at = excluded.updated_at
