-- Statements on memories. `m` is the memory; {visible} stands for the visibility predicate. Those on
-- the viewer's own rows say so once more, so that an index serves them.

-- name: insert
INSERT INTO atomic_memory (
    row_id, id, user_id, timestamp, create_time, content, tags, session_id, app_type, role,
    memory_type, kind, category, key, value, confidence, source, importance, visibility,
    valid_from, valid_to, superseded_by, document
) VALUES (
    :row_id, :id, :user_id, :timestamp, :create_time, :content, :tags, :session_id, :app_type,
    :role, :memory_type, :kind, :category, :key, :value, :confidence, :source, :importance,
    :visibility, :valid_from, :valid_to, :superseded_by, :document
)

-- name: update
UPDATE atomic_memory SET
    timestamp = :timestamp, content = :content, tags = :tags, memory_type = :memory_type,
    kind = :kind, category = :category, key = :key, value = :value, confidence = :confidence,
    source = :source, importance = :importance, visibility = :visibility,
    valid_from = :valid_from, valid_to = :valid_to, superseded_by = :superseded_by,
    document = :document
WHERE row_id = :row_id

-- name: delete
DELETE FROM atomic_memory WHERE row_id = ?

-- name: by_id
SELECT m.*, a.last_accessed, a.access_count
FROM atomic_memory m LEFT JOIN memory_access a USING (row_id)
WHERE m.id = :id AND {visible}

-- name: own_by_id
SELECT m.*, a.last_accessed, a.access_count
FROM atomic_memory m LEFT JOIN memory_access a USING (row_id)
WHERE m.id = :id AND {visible} AND m.user_id = :viewer

-- name: by_rows
SELECT m.*, a.last_accessed, a.access_count
FROM json_each(:rows) wanted
JOIN atomic_memory m ON m.row_id = wanted.value
LEFT JOIN memory_access a USING (row_id)
WHERE {visible}

-- name: row_of
SELECT m.row_id, m.visibility FROM atomic_memory m
WHERE m.id = :id AND {visible} AND m.user_id = :viewer

-- name: row_seen
SELECT m.row_id FROM atomic_memory m WHERE m.id = :id AND {visible}

-- name: list
SELECT m.*, a.last_accessed, a.access_count
FROM atomic_memory m LEFT JOIN memory_access a USING (row_id)
WHERE {visible} AND m.user_id = :viewer AND m.row_id BETWEEN :low AND :high
  AND (:memory_type IS NULL OR m.memory_type = :memory_type)
ORDER BY m.timestamp DESC, m.row_id DESC
LIMIT :limit OFFSET :offset

-- name: count
SELECT count(*) FROM atomic_memory m
WHERE {visible} AND m.user_id = :viewer AND m.row_id BETWEEN :low AND :high
  AND (:memory_type IS NULL OR m.memory_type = :memory_type)

-- name: export
SELECT m.*, a.last_accessed, a.access_count
FROM atomic_memory m LEFT JOIN memory_access a USING (row_id)
WHERE {visible} AND m.user_id = :viewer AND m.row_id BETWEEN :low AND :high
ORDER BY m.row_id LIMIT :limit

-- name: by_document
SELECT m.*, a.last_accessed, a.access_count
FROM atomic_memory m LEFT JOIN memory_access a USING (row_id)
WHERE {visible} AND m.user_id = :viewer AND m.document = :document ORDER BY m.row_id

-- name: documented
SELECT m.document, m.id, m.category FROM atomic_memory m
WHERE {visible} AND m.user_id = :viewer AND m.document IS NOT NULL ORDER BY m.row_id

-- name: foreign
SELECT id FROM atomic_memory
WHERE id IN (SELECT value FROM json_each(:ids)) AND user_id <> :user_id

-- name: live_count
SELECT count(*) FROM atomic_memory m
WHERE {visible} AND m.user_id = :viewer AND m.memory_type = 'long_term' AND m.valid_to IS NULL

-- name: weakest
SELECT m.*, a.last_accessed, a.access_count
FROM atomic_memory m LEFT JOIN memory_access a USING (row_id)
WHERE {visible} AND m.user_id = :viewer AND m.memory_type = 'long_term' AND m.valid_to IS NULL
ORDER BY m.confidence, coalesce(a.last_accessed, m.timestamp), m.row_id LIMIT :limit

-- name: of_key
SELECT m.*, a.last_accessed, a.access_count
FROM atomic_memory m LEFT JOIN memory_access a USING (row_id)
WHERE {visible} AND m.user_id = :viewer AND m.key = :key AND m.valid_to IS NULL AND m.memory_type = 'long_term'
ORDER BY m.row_id

-- name: same_start
SELECT m.id, m.row_id, m.content FROM atomic_memory m
WHERE {visible} AND m.user_id = :viewer AND m.session_id = :session_id AND m.role = :role
  AND substr(m.content, 1, 50) = substr(:content, 1, 50)

-- name: of_category
SELECT m.row_id FROM atomic_memory m
WHERE {visible} AND m.user_id = :viewer AND m.memory_type = 'long_term' AND m.valid_to IS NULL
  AND m.category IN (SELECT value FROM json_each(:categories))
ORDER BY m.timestamp DESC LIMIT :limit

-- name: like
SELECT m.row_id FROM atomic_memory m
WHERE {visible} AND m.user_id = :viewer AND m.row_id BETWEEN :low AND :high
  AND (:only IS NULL OR m.memory_type = :only)
  AND m.content LIKE :pattern ESCAPE '\'
ORDER BY m.row_id DESC LIMIT :limit

-- name: like_shared
SELECT m.row_id FROM atomic_memory m
WHERE {visible} AND m.visibility <> 'private' AND m.user_id <> :viewer
  AND (:only IS NULL OR m.memory_type = :only) AND m.content LIKE :pattern ESCAPE '\'
ORDER BY m.timestamp DESC LIMIT :limit

-- name: shared_with
-- By owner, in the order of rows. Public memories first narrowed down by their index, then those of
-- the people who share a circle with the viewer.
SELECT o.number, m.user_id, o.version, m.row_id, m.category
FROM atomic_memory m JOIN owner o ON o.user_id = m.user_id
WHERE m.visibility <> 'private' AND m.visibility = 'public' AND m.user_id <> :viewer AND {visible}
UNION ALL
SELECT o.number, m.user_id, o.version, m.row_id, m.category
FROM atomic_memory m JOIN owner o ON o.user_id = m.user_id
WHERE m.visibility <> 'private' AND m.visibility IN ('household', 'group')
  AND m.user_id IN (
    SELECT b.user_id FROM membership a JOIN membership b ON b.circle_id = a.circle_id
    WHERE a.user_id = :viewer
  ) AND m.user_id <> :viewer AND {visible}
ORDER BY 4

-- name: unlink_superseded
UPDATE atomic_memory SET superseded_by = NULL WHERE superseded_by = ?

-- name: access
INSERT INTO memory_access (row_id, last_accessed, access_count) VALUES (:row_id, :at, 1)
ON CONFLICT (row_id) DO UPDATE
SET last_accessed = excluded.last_accessed, access_count = access_count + 1

-- name: delete_access
DELETE FROM memory_access WHERE row_id = ?

-- name: of_session
-- Two branches, an index for each: turns, and what was written down from them.
SELECT m.*, a.last_accessed, a.access_count
FROM atomic_memory m LEFT JOIN memory_access a USING (row_id)
WHERE {visible} AND m.user_id = :viewer AND m.session_id = :session_id AND m.role IS NOT NULL
UNION ALL
SELECT m.*, a.last_accessed, a.access_count
FROM atomic_memory m LEFT JOIN memory_access a USING (row_id)
WHERE {visible} AND m.user_id = :viewer AND m.session_id = :session_id AND m.role IS NULL
    AND m.memory_type = 'long_term'
