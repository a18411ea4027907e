-- Vectors, their sign codes, and the queue.

-- name: identities
SELECT what, identity FROM index_identity

-- name: put_identity
INSERT INTO index_identity (what, identity) VALUES (?, ?)
ON CONFLICT DO UPDATE SET identity = excluded.identity

-- name: delete_identity
DELETE FROM index_identity WHERE what = ?

-- name: has_codes
SELECT 1 FROM sqlite_master WHERE name = 'memory_code'

-- name: create_codes
CREATE VIRTUAL TABLE memory_code USING vec0 (
    owner INTEGER PARTITION KEY, code BIT[{bits}], chunk_size = 64
)

-- name: drop_codes
DROP TABLE IF EXISTS memory_code

-- name: clear_codes
DELETE FROM memory_code

-- name: nearest
SELECT rowid FROM memory_code WHERE owner = :owner AND code MATCH vec_bit(:code) AND k = :limit

-- name: insert_code
INSERT INTO memory_code (rowid, owner, code) VALUES (?, ?, vec_bit(?))

-- name: delete_code
DELETE FROM memory_code WHERE rowid = ?

-- name: range
SELECT row_id, vector FROM memory_vector WHERE row_id BETWEEN ? AND ? ORDER BY row_id

-- name: of_rows
SELECT row_id, vector FROM memory_vector
WHERE row_id IN (SELECT value FROM json_each(?)) ORDER BY row_id

-- name: after
SELECT row_id, vector FROM memory_vector WHERE row_id > ? ORDER BY row_id LIMIT ?

-- name: cached
SELECT text_hash, vector FROM memory_vector
WHERE text_hash IN (SELECT value FROM json_each(?))

-- name: cached_next
SELECT text_hash, vector FROM memory_vector_next
WHERE text_hash IN (SELECT value FROM json_each(?))

-- name: insert
INSERT INTO memory_vector (row_id, text_hash, vector) VALUES (?, ?, ?)
ON CONFLICT DO UPDATE SET text_hash = excluded.text_hash, vector = excluded.vector

-- name: insert_next
INSERT INTO memory_vector_next (row_id, text_hash, vector) VALUES (?, ?, ?)
ON CONFLICT DO UPDATE SET text_hash = excluded.text_hash, vector = excluded.vector

-- name: delete
DELETE FROM memory_vector WHERE row_id = ?

-- name: delete_next
DELETE FROM memory_vector_next WHERE row_id = ?

-- name: drop_live
DELETE FROM memory_vector

-- name: copy_next
INSERT INTO memory_vector (row_id, text_hash, vector)
SELECT row_id, text_hash, vector FROM memory_vector_next

-- name: clear_next
DELETE FROM memory_vector_next

-- name: queued
SELECT q.row_id, m.content FROM vector_queue q JOIN atomic_memory m USING (row_id)
ORDER BY q.row_id LIMIT ?

-- name: texts
SELECT row_id, content FROM atomic_memory WHERE row_id IN (SELECT value FROM json_each(?))

-- name: queue_length
SELECT count(*) FROM vector_queue

-- name: enqueue
INSERT INTO vector_queue (row_id) VALUES (?) ON CONFLICT DO NOTHING

-- name: enqueue_all
INSERT INTO vector_queue (row_id) SELECT row_id FROM atomic_memory WHERE true ON CONFLICT DO NOTHING

-- name: dequeue
DELETE FROM vector_queue WHERE row_id = ?

-- name: dequeue_done
DELETE FROM vector_queue WHERE row_id IN (SELECT row_id FROM memory_vector)

-- name: touch_shared
-- Whoever may see one of these rows has read it without its vector.
UPDATE sharing SET version = version + 1 WHERE EXISTS (
    SELECT 1 FROM json_each(?) wanted JOIN atomic_memory m ON m.row_id = wanted.value
    WHERE m.visibility <> 'private'
)
