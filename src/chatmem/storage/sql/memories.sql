-- Statements on memories. `m` is the memory; {visible} stands for the visibility predicate, the other
-- marks for what each dialect says its own way (tables/database.py). Those on
-- the viewer's own rows say so once more, so that an index serves them.

-- name: delete, for a user
DELETE FROM atomic_memory WHERE {row}

-- name: move, for a user
UPDATE atomic_memory SET document = :document WHERE user_id = :user_id AND id = :id

-- name: by_id, for a user
SELECT {memory}
FROM atomic_memory m {with counters}
WHERE m.id = :id AND {visible}

-- name: own_by_id, for a user
SELECT {memory}
FROM atomic_memory m {with counters}
WHERE m.id = :id AND {visible} AND m.user_id = :viewer

-- name: row_of, for a user
SELECT m.row_id, m.visibility FROM atomic_memory m
WHERE m.id = :id AND {visible} AND m.user_id = :viewer

-- name: row_seen, for a user
SELECT m.row_id, m.user_id FROM atomic_memory m WHERE m.id = :id AND {visible}

-- name: export, for a user
SELECT m.row_id, {memory}
FROM atomic_memory m {with counters}
WHERE {visible} AND m.user_id = :viewer AND m.row_id BETWEEN :low AND :high
ORDER BY m.row_id LIMIT :limit

-- name: by_document, for a user
SELECT {memory}
FROM atomic_memory m {with counters}
WHERE {visible} AND m.user_id = :viewer AND m.document = :document ORDER BY m.row_id

-- name: least_of, for a user
SELECT m.row_id, {memory}
FROM atomic_memory m {with counters}
WHERE {visible} AND m.user_id = :viewer AND m.document = :document
ORDER BY m.importance, m.confidence, coalesce(a.last_accessed, m.timestamp), m.row_id

-- name: documented, for a user
SELECT m.document, m.id, m.category FROM atomic_memory m
WHERE {visible} AND m.user_id = :viewer AND m.document IS NOT NULL ORDER BY m.row_id

-- name: foreign, for everybody
SELECT id FROM atomic_memory
WHERE id {in texts ids} AND user_id <> :user_id

-- name: weakest, for a user
SELECT {memory}
FROM atomic_memory m {with counters}
WHERE {visible} AND m.user_id = :viewer AND m.memory_type = 'long_term' AND m.valid_to IS NULL
ORDER BY m.confidence, coalesce(a.last_accessed, m.timestamp), m.row_id LIMIT :limit

-- name: of_key, for a user
SELECT {memory}
FROM atomic_memory m {with counters}
WHERE {visible} AND m.user_id = :viewer AND m.key = :key AND m.valid_to IS NULL AND m.memory_type = 'long_term'
ORDER BY m.row_id

-- name: same_start, for a user
SELECT m.id, m.role, m.content FROM atomic_memory m
WHERE {visible} AND m.user_id = :viewer AND m.session_id = :session_id AND m.role = :role
  AND substr(m.content, 1, 50) = substr(:content, 1, 50)
UNION ALL
SELECT m.id, m.role, m.content FROM atomic_memory m
WHERE {visible} AND m.user_id = :viewer AND m.session_id = :session_id AND m.role = :last_role
  AND substr(m.content, 1, 50) = substr(:last, 1, 50)

-- name: of_category, for a user
SELECT m.row_id FROM atomic_memory m
WHERE {visible} AND m.user_id = :viewer AND m.memory_type = 'long_term' AND m.valid_to IS NULL
  AND m.category {in texts categories}
ORDER BY m.timestamp DESC LIMIT :limit

-- name: shared_with, for a user
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

-- name: unlink_superseded, for a user
UPDATE atomic_memory SET superseded_by = NULL
WHERE user_id = :user_id AND superseded_by = :memory_id

-- name: delete_access, for a user
DELETE FROM memory_access WHERE {row}

-- name: of_session, for a user
-- Two branches, an index for each: turns, and what was written down from them.
SELECT {memory}
FROM atomic_memory m {with counters}
WHERE {visible} AND m.user_id = :viewer AND m.session_id = :session_id AND m.role IS NOT NULL
UNION ALL
SELECT {memory}
FROM atomic_memory m {with counters}
WHERE {visible} AND m.user_id = :viewer AND m.session_id = :session_id AND m.role IS NULL
    AND m.memory_type = 'long_term'
