-- Statements on memories that SQLite says otherwise.

-- name: insert, for a user
INSERT INTO atomic_memory ({memory columns}, tag_forms) VALUES ({bound memory columns},
    ARRAY(SELECT jsonb_array_elements_text(:tag_forms::jsonb)))

-- name: update, for a user
UPDATE atomic_memory SET {memory changes},
    tag_forms = ARRAY(SELECT jsonb_array_elements_text(:tag_forms::jsonb))
WHERE {row}

-- name: by_rows, for a user
-- A key's upper half is the number of its owner, who leads the primary key. Keys and owners are made in
-- queries of their own: an index under row-level security serves nothing that is computed in its
-- condition, and the table of owners is never read whole. Each memory is looked up: else the server
-- reads all that the viewer may see, where that is not much.
SELECT found.*
FROM (
    SELECT key, place, (SELECT o.user_id FROM owner o WHERE o.number = asked.number) AS user_id
    FROM (
        SELECT key::bigint AS key, key::bigint >> 32 AS number, place
        FROM jsonb_array_elements_text(:rows::jsonb) WITH ORDINALITY listed (key, place) OFFSET 0
    ) asked OFFSET 0
) wanted
CROSS JOIN LATERAL (
    SELECT m.row_id, {memory} FROM atomic_memory m {with counters}
    WHERE m.user_id = wanted.user_id AND m.row_id = wanted.key AND {visible} OFFSET 0
) found
ORDER BY wanted.place

-- name: same_start, for a user
SELECT m.id, m.role, m.content FROM atomic_memory m
WHERE {visible} AND m.user_id = :viewer AND m.session_id = :session_id AND m.role = :role
  AND m.start_hash = hashtextextended(substr(CAST(:content AS text), 1, 50), 0)
  AND substr(m.content, 1, 50) = substr(CAST(:content AS text), 1, 50)
UNION ALL
SELECT m.id, m.role, m.content FROM atomic_memory m
WHERE {visible} AND m.user_id = :viewer AND m.session_id = :session_id AND m.role = :last_role
  AND m.start_hash = hashtextextended(substr(CAST(:last AS text), 1, 50), 0)
  AND substr(m.content, 1, 50) = substr(CAST(:last AS text), 1, 50)

-- name: access, for a user
INSERT INTO memory_access (user_id, row_id, last_accessed, access_count)
VALUES (:holder, :row_id, :at, 1)
ON CONFLICT (user_id, row_id) DO UPDATE
SET last_accessed = excluded.last_accessed, access_count = memory_access.access_count + 1
