-- name: insert
INSERT INTO conversation (
    user_id, session_id, role, content, create_time, app_type, speaker, source_id, memory_id
) VALUES (
    :user_id, :session_id, :role, :content, :create_time, :app_type, :speaker, :source_id,
    :memory_id
)

-- name: by_source
SELECT memory_id FROM conversation WHERE user_id = :user_id AND source_id = :source_id

-- name: by_sources
SELECT source_id, memory_id FROM conversation
WHERE user_id = :user_id AND source_id {in texts ids}

-- name: sources
SELECT source_id FROM conversation
WHERE user_id = :user_id AND memory_id = :memory_id AND source_id IS NOT NULL

-- name: of_session
SELECT id, session_id, role, content, create_time, is_collected, memory_id, speaker FROM conversation
WHERE user_id = :user_id AND session_id = :session_id ORDER BY id

-- name: of_memory
SELECT id, session_id, role, content, create_time, is_collected, memory_id, speaker FROM conversation
WHERE user_id = :user_id AND memory_id = :memory_id ORDER BY id

-- name: delete_memory
DELETE FROM conversation WHERE user_id = :user_id AND memory_id = :memory_id

-- name: count
SELECT count(*) FROM conversation WHERE user_id = :user_id

-- name: window
SELECT id, session_id, role, content, create_time, is_collected, memory_id, speaker FROM conversation
WHERE user_id = :user_id AND session_id = :session_id ORDER BY id DESC LIMIT :limit

-- name: collect
UPDATE conversation SET is_collected = :collected
WHERE user_id = :user_id AND session_id = :session_id AND id = :number
RETURNING id

-- name: collected
SELECT id, session_id, role, content, create_time, is_collected, memory_id, speaker FROM conversation
WHERE user_id = :user_id AND is_collected = 1 ORDER BY id DESC LIMIT :limit OFFSET :offset

-- name: delete_session
DELETE FROM conversation WHERE user_id = :user_id AND session_id = :session_id RETURNING id

-- name: speakers_of
SELECT memory_id, max(speaker) FROM conversation
WHERE user_id = :user_id AND memory_id {in texts ids}
    AND speaker IS NOT NULL
GROUP BY memory_id

-- name: after
SELECT id, session_id, role, content, create_time, is_collected, memory_id, speaker
FROM conversation WHERE user_id = :user_id AND session_id = :session_id AND id > :number ORDER BY id LIMIT :limit

-- name: count_after
SELECT count(*) FROM conversation WHERE user_id = :user_id AND session_id = :session_id AND id > :number

-- name: take_back
DELETE FROM conversation WHERE user_id = :user_id AND id = :number RETURNING memory_id

-- name: has_memory
SELECT 1 FROM conversation WHERE user_id = :user_id AND memory_id = :memory_id LIMIT 1
