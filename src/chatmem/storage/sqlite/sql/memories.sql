-- Statements on memories that PostgreSQL says otherwise.

-- name: insert, for a user
INSERT INTO atomic_memory ({memory columns}) VALUES ({bound memory columns})

-- name: update, for a user
UPDATE atomic_memory SET {memory changes}
WHERE row_id = :row_id

-- name: by_rows, for a user
SELECT m.row_id, {memory}
FROM json_each(:rows) wanted
JOIN atomic_memory m ON m.row_id = wanted.value
{with counters}
WHERE {visible}

-- name: access, for a user
INSERT INTO memory_access (row_id, last_accessed, access_count) VALUES (:row_id, :at, 1)
ON CONFLICT (row_id) DO UPDATE
SET last_accessed = excluded.last_accessed, access_count = access_count + 1
