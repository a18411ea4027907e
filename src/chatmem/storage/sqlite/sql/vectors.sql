-- Vectors, their codes in `vec0`, and the queue, where PostgreSQL says it otherwise.

-- name: has_codes, for nobody
SELECT 1 FROM sqlite_master WHERE name = 'memory_code'

-- name: drop_codes, for nobody
DROP TABLE IF EXISTS memory_code

-- name: create_codes, for nobody
CREATE VIRTUAL TABLE memory_code USING vec0 (
    owner INTEGER PARTITION KEY, code BIT[{bits}], chunk_size = 64
)

-- name: nearest, for a user
SELECT rowid FROM memory_code WHERE owner = :owner AND code MATCH vec_bit(:code) AND k = :limit

-- name: near, for a user
SELECT v.row_id, v.vector FROM json_each(:firsts) f
CROSS JOIN memory_vector v ON v.row_id BETWEEN f.value AND f.value + :others

-- name: insert_code, for a user
INSERT INTO memory_code (rowid, owner, code) VALUES (:row_id, :owner, vec_bit(:code))

-- name: delete_code, for a user
DELETE FROM memory_code WHERE rowid = :row_id

-- name: hold_identities, for nobody
-- Nothing to do, here and in `share_identities`: one transaction writes at a time.
SELECT 1

-- name: share_identities, for nobody
SELECT 1

-- name: copy_next, for everybody
INSERT INTO memory_vector (row_id, text_hash, vector)
SELECT row_id, text_hash, vector FROM memory_vector_next

-- name: queued, for everybody
SELECT q.row_id, m.content FROM vector_queue q JOIN atomic_memory m USING (row_id)
ORDER BY q.row_id LIMIT :limit

-- name: enqueue_all, for everybody
INSERT INTO vector_queue (row_id) SELECT row_id FROM atomic_memory WHERE true ON CONFLICT DO NOTHING

-- name: dequeue_done, for everybody
DELETE FROM vector_queue WHERE row_id IN (SELECT row_id FROM memory_vector)

-- name: touch_shared, for a user
-- Whoever may see one of these rows has read it without its vector.
UPDATE sharing SET version = version + 1 WHERE EXISTS (
    SELECT 1 FROM json_each(:keys) wanted JOIN atomic_memory m ON m.row_id = wanted.value
    WHERE m.visibility <> 'private'
)
