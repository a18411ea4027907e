-- Vectors, their sign codes, and the queue.

-- name: identities, for nobody
SELECT what, identity FROM index_identity

-- name: put_identity, for nobody
INSERT INTO index_identity (what, identity) VALUES (:what, :identity)
ON CONFLICT (what) DO UPDATE SET identity = excluded.identity

-- name: delete_identity, for nobody
DELETE FROM index_identity WHERE what = :what

-- name: clear_codes, for everybody
DELETE FROM memory_code

-- name: cached, for everybody
SELECT text_hash, vector FROM memory_vector
WHERE text_hash {in numbers hashes}

-- name: cached_next, for everybody
SELECT text_hash, vector FROM memory_vector_next
WHERE text_hash {in numbers hashes}

-- name: delete, for a user
DELETE FROM memory_vector WHERE {row}

-- name: delete_next, for a user
DELETE FROM memory_vector_next WHERE {row}

-- name: drop_live, for everybody
DELETE FROM memory_vector

-- name: clear_next, for everybody
DELETE FROM memory_vector_next

-- name: queue_length, for everybody
SELECT count(*) FROM vector_queue

-- name: dequeue, for a user
DELETE FROM vector_queue WHERE {row}

-- name: page, for a user
SELECT row_id, vector FROM memory_vector
WHERE {of user}row_id BETWEEN :low AND :high ORDER BY row_id LIMIT :limit

-- name: insert, for a user
INSERT INTO memory_vector ({row key}, text_hash, vector) VALUES ({bound row key}, :hash, :vector)
ON CONFLICT ({row key}) DO UPDATE SET text_hash = excluded.text_hash, vector = excluded.vector

-- name: insert_next, for a user
INSERT INTO memory_vector_next ({row key}, text_hash, vector) VALUES ({bound row key}, :hash, :vector)
ON CONFLICT ({row key}) DO UPDATE SET text_hash = excluded.text_hash, vector = excluded.vector

-- name: texts, for a user
SELECT row_id, content FROM atomic_memory WHERE {of user}row_id {in numbers keys}

-- name: enqueue, for a user
INSERT INTO vector_queue ({row key}) VALUES ({bound row key}) ON CONFLICT DO NOTHING

-- name: dequeue_all, for a user
DELETE FROM vector_queue WHERE {of user}row_id {in numbers keys}
