-- Vectors, their codes as bits that pgvector compares, and the queue, where SQLite says it otherwise.

-- name: has_codes, for nobody
SELECT 1 WHERE to_regclass('memory_code') IS NOT NULL

-- name: drop_codes, for nobody
-- Nothing to do: who makes the tables drops them first.
SELECT 1

-- name: create_codes, for nobody
-- Here and in `switch`, tables are made and renamed as their owner does (security.sql).
SELECT chatmem_make_codes({bits})

-- name: nearest, for a user
SELECT row_id FROM memory_code WHERE user_id = :user_id
ORDER BY code <~> ('x' || encode(:code, 'hex'))::varbit LIMIT :limit

-- name: range, for a user
SELECT row_id, vector FROM memory_vector
WHERE {of user}row_id BETWEEN :low AND :high ORDER BY row_id

-- name: near, for a user
SELECT row_id, vector FROM memory_vector WHERE user_id = :user_id AND row_id = ANY (ARRAY(
    SELECT f::bigint + other FROM jsonb_array_elements_text(:firsts::jsonb) f
    CROSS JOIN generate_series(0, :others::bigint) other
))

-- name: insert_code, for a user
INSERT INTO memory_code (user_id, row_id, code)
VALUES (:user_id, :row_id, ('x' || encode(:code, 'hex'))::varbit)

-- name: delete_code, for a user
DELETE FROM memory_code WHERE {row}

-- name: take, for everybody
-- What another process has taken is left to it, for a while. Rows are looked up one by one: a plan for
-- any limit reads a tenth of the queue and all memories.
WITH free AS (
    SELECT number FROM vector_queue
    WHERE taken_by IS NULL OR taken_by = :holder OR taken_until < now()
    ORDER BY number LIMIT :limit FOR UPDATE SKIP LOCKED
), taken AS (
    UPDATE vector_queue
    SET taken_by = :holder, taken_until = now() + make_interval(secs => :seconds)
    WHERE number = ANY (ARRAY(SELECT number FROM free))
    RETURNING user_id, row_id, number
)
SELECT t.row_id, m.content FROM taken t CROSS JOIN LATERAL (
    SELECT content FROM atomic_memory WHERE user_id = t.user_id AND row_id = t.row_id OFFSET 0
) m
ORDER BY t.number

-- name: share_identities, for nobody
SELECT 1 FROM index_identity FOR SHARE

-- name: hold_identities, for nobody
SELECT 1 FROM index_identity FOR UPDATE

-- name: keep_out, for nobody
-- In the order in which a search reads them.
LOCK TABLE memory_code, packed_code, memory_vector, memory_vector_next IN ACCESS EXCLUSIVE MODE

-- name: switch, for nobody
SELECT chatmem_switch_vectors()

-- name: owner_from, for everybody
SELECT number, user_id FROM owner WHERE number >= :number ORDER BY number LIMIT 1

-- name: enqueue_all, for everybody
INSERT INTO vector_queue (user_id, row_id) SELECT user_id, row_id FROM atomic_memory
ORDER BY row_id ON CONFLICT DO NOTHING

-- name: dequeue_done, for everybody
DELETE FROM vector_queue q USING memory_vector v
WHERE v.user_id = q.user_id AND v.row_id = q.row_id

-- name: touch_shared, for a user
-- Whoever may see one of these rows has read it without its vector.
UPDATE sharing SET version = version + 1 WHERE EXISTS (
    SELECT 1 FROM atomic_memory
    WHERE user_id = :user_id AND row_id {in numbers keys} AND visibility <> 'private'
)
