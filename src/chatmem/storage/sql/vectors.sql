-- Vectors, their sign codes, and the queue.

-- name: identities
SELECT what, identity FROM index_identity

-- name: put_identity
INSERT INTO index_identity (what, identity) VALUES (:what, :identity)
ON CONFLICT (what) DO UPDATE SET identity = excluded.identity

-- name: delete_identity
DELETE FROM index_identity WHERE what = :what

-- name: drop_codes
DROP TABLE IF EXISTS memory_code

-- name: clear_codes
DELETE FROM memory_code

-- name: cached
SELECT text_hash, vector FROM memory_vector
WHERE text_hash {in numbers hashes}

-- name: cached_next
SELECT text_hash, vector FROM memory_vector_next
WHERE text_hash {in numbers hashes}

-- name: delete
DELETE FROM memory_vector WHERE {row}

-- name: delete_next
DELETE FROM memory_vector_next WHERE {row}

-- name: drop_live
DELETE FROM memory_vector

-- name: clear_next
DELETE FROM memory_vector_next

-- name: queue_length
SELECT count(*) FROM vector_queue

-- name: dequeue
DELETE FROM vector_queue WHERE {row}

