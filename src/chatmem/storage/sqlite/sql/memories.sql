-- Statements on memories that PostgreSQL says otherwise.

-- name: insert, for a user
INSERT INTO atomic_memory (
    row_id, id, user_id, timestamp, create_time, content, tags, session_id, app_type, role,
    memory_type, kind, category, key, value, confidence, source, importance, visibility,
    valid_from, valid_to, superseded_by, document
) VALUES (
    :row_id, :id, :user_id, :timestamp, :create_time, :content, :tags, :session_id, :app_type,
    :role, :memory_type, :kind, :category, :key, :value, :confidence, :source, :importance,
    :visibility, :valid_from, :valid_to, :superseded_by, :document
)

-- name: update, for a user
UPDATE atomic_memory SET
    timestamp = :timestamp, content = :content, tags = :tags, memory_type = :memory_type,
    kind = :kind, category = :category, key = :key, value = :value, confidence = :confidence,
    source = :source, importance = :importance, visibility = :visibility,
    valid_from = :valid_from, valid_to = :valid_to, superseded_by = :superseded_by,
    document = :document
WHERE row_id = :row_id

-- name: by_rows, for a user
SELECT {memory}
FROM json_each(:rows) wanted
JOIN atomic_memory m ON m.row_id = wanted.value
{with counters}
WHERE {visible}

-- name: access, for a user
INSERT INTO memory_access (row_id, last_accessed, access_count) VALUES (:row_id, :at, 1)
ON CONFLICT (row_id) DO UPDATE
SET last_accessed = excluded.last_accessed, access_count = access_count + 1
