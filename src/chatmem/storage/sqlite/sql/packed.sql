-- name: postings
SELECT block, data FROM packed_posting WHERE owner = ? AND term = ? ORDER BY block

-- name: prefix_postings
SELECT block, data FROM packed_posting WHERE owner = ? AND term >= ? AND term < ?

-- name: append_postings
INSERT INTO packed_posting (owner, term, block, data) VALUES (?, ?, ?, ?)
ON CONFLICT DO UPDATE SET data = CAST(data || excluded.data AS BLOB)

-- name: posting_block
SELECT data FROM packed_posting WHERE owner = ? AND term = ? AND block = ?

-- name: put_posting
INSERT INTO packed_posting (owner, term, block, data) VALUES (?, ?, ?, ?)
ON CONFLICT DO UPDATE SET data = excluded.data

-- name: delete_posting
DELETE FROM packed_posting WHERE owner = ? AND term = ? AND block = ?

-- name: rows
SELECT block, data FROM packed_row WHERE owner = ? ORDER BY block

-- name: append_rows
INSERT INTO packed_row (owner, block, data) VALUES (?, ?, ?)
ON CONFLICT DO UPDATE SET data = CAST(data || excluded.data AS BLOB)

-- name: rows_block
SELECT data FROM packed_row WHERE owner = ? AND block = ?

-- name: put_rows
UPDATE packed_row SET data = ?3 WHERE owner = ?1 AND block = ?2

-- name: codes
SELECT block, data FROM packed_code WHERE owner = ? ORDER BY block

-- name: code_block
SELECT data FROM packed_code WHERE owner = ? AND block = ?

-- name: put_codes
INSERT INTO packed_code (owner, block, data) VALUES (?, ?, ?)
ON CONFLICT DO UPDATE SET data = excluded.data

-- name: clear_postings
DELETE FROM packed_posting

-- name: clear_rows
DELETE FROM packed_row

-- name: clear_codes
DELETE FROM packed_code

-- name: unpack_owners
UPDATE owner SET packed_rows = 0, version = version + 1, packed_version = packed_version + 1

-- name: touch_all
UPDATE owner SET version = version + 1, packed_version = packed_version + 1

-- name: touch
UPDATE owner SET version = version + 1, packed_version = packed_version + 1 WHERE number = ?

-- name: version
SELECT packed_version FROM owner WHERE number = ?

-- name: set_packed
UPDATE owner SET packed_rows = ? WHERE number = ?

-- name: to_pack
SELECT number, user_id, next_row, packed_rows FROM owner WHERE next_row - packed_rows >= ?
