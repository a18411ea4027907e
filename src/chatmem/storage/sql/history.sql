-- name: insert, for a user
INSERT INTO memory_history (user_id, memory_id, at, action, reason, before, after)
VALUES (:user_id, :memory_id, :at, :action, :reason, :before, :after)

-- name: of_memory, for a user
SELECT memory_id, at, action, reason, before, after FROM memory_history
WHERE user_id = :user_id AND memory_id = :memory_id ORDER BY number

-- name: of_memories, for a user
SELECT number, memory_id, at, action, reason, before, after FROM memory_history
WHERE user_id = :user_id AND memory_id {in texts ids} ORDER BY number

-- name: delete, for a user
DELETE FROM memory_history WHERE user_id = :user_id AND memory_id = :memory_id

-- name: bury, for a user
INSERT INTO tombstone (user_id, content_hash, at) VALUES (:user_id, :hash, :at) ON CONFLICT DO NOTHING

-- name: key, for a user
SELECT content_hash FROM tombstone WHERE user_id = :user_id AND content_hash < :end_of_keys

-- name: is_buried, for a user
SELECT 1 FROM tombstone WHERE user_id = :user_id AND content_hash IN (:hash, :plain)

-- name: any_buried, for a user
SELECT 1 FROM tombstone WHERE user_id = :user_id AND content_hash >= :end_of_keys LIMIT 1

-- name: unbury, for a user
DELETE FROM tombstone WHERE user_id = :user_id AND content_hash IN (:hash, :plain)
