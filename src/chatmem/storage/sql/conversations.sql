-- name: insert, for a user
INSERT INTO conversation (
    user_id, session_id, role, content, create_time, app_type, speaker, source_id, memory_id
) VALUES (
    :user_id, :session_id, :role, :content, :timestamp, :app_type, :speaker, :source_id,
    :memory_id
)

-- name: by_sources, for a user
SELECT source_id, memory_id FROM conversation
WHERE user_id = :user_id AND source_id {in texts ids}

-- name: sources, for a user
SELECT source_id FROM conversation
WHERE user_id = :user_id AND memory_id = :memory_id AND source_id IS NOT NULL

-- name: of_session, for a user
SELECT {message} FROM conversation
WHERE user_id = :user_id AND session_id = :session_id ORDER BY id

-- name: of_memory, for a user
SELECT {message} FROM conversation
WHERE user_id = :user_id AND memory_id = :memory_id ORDER BY id

-- name: delete_memory, for a user
DELETE FROM conversation WHERE user_id = :user_id AND memory_id = :memory_id

-- name: count, for a user
SELECT count(*) FROM conversation WHERE user_id = :user_id

-- name: window, for a user
SELECT {message} FROM conversation
WHERE user_id = :user_id AND session_id = :session_id ORDER BY id DESC LIMIT :limit

-- name: collect, for a user
UPDATE conversation SET is_collected = :collected
WHERE user_id = :user_id AND session_id = :session_id AND id = :number
RETURNING id

-- name: collected, for a user
SELECT {message} FROM conversation
WHERE user_id = :user_id AND is_collected = 1 ORDER BY id DESC LIMIT :limit OFFSET :offset

-- name: delete_session, for a user
DELETE FROM conversation WHERE user_id = :user_id AND session_id = :session_id RETURNING id

-- name: speakers_of, for a user
SELECT memory_id, max(speaker) FROM conversation
WHERE user_id = :user_id AND memory_id {in texts ids}
    AND speaker IS NOT NULL
GROUP BY memory_id

-- name: after, for a user
SELECT {message}
FROM conversation WHERE user_id = :user_id AND session_id = :session_id AND id > :number ORDER BY id LIMIT :limit

-- name: count_after, for a user
SELECT count(*) FROM conversation WHERE user_id = :user_id AND session_id = :session_id AND id > :number

-- name: take_back, for a user
DELETE FROM conversation WHERE user_id = :user_id AND id = :number RETURNING memory_id

-- name: has_memory, for a user
SELECT 1 FROM conversation WHERE user_id = :user_id AND memory_id = :memory_id LIMIT 1
