-- name: postings
SELECT term, block, data FROM packed_posting
WHERE {owner} = :{owner} AND term {in texts terms} ORDER BY term, block

-- name: prefix_postings
SELECT block, data FROM packed_posting WHERE {owner} = :{owner} AND term >= :low AND term < :high

-- name: append_postings
INSERT INTO packed_posting ({owner}, term, block, data) VALUES (:{owner}, :term, :block, :data)
ON CONFLICT ({owner}, term, block) DO UPDATE SET data = {joined packed_posting}

-- name: posting_block
SELECT data FROM packed_posting WHERE {owner} = :{owner} AND term = :term AND block = :block

-- name: put_posting
INSERT INTO packed_posting ({owner}, term, block, data) VALUES (:{owner}, :term, :block, :data)
ON CONFLICT ({owner}, term, block) DO UPDATE SET data = excluded.data

-- name: delete_posting
DELETE FROM packed_posting WHERE {owner} = :{owner} AND term = :term AND block = :block

-- name: rows
SELECT block, data FROM packed_row WHERE {owner} = :{owner} ORDER BY block

-- name: append_rows
INSERT INTO packed_row ({owner}, block, data) VALUES (:{owner}, :block, :data)
ON CONFLICT ({owner}, block) DO UPDATE SET data = {joined packed_row}

-- name: rows_block
SELECT data FROM packed_row WHERE {owner} = :{owner} AND block = :block

-- name: put_rows
UPDATE packed_row SET data = :data WHERE {owner} = :{owner} AND block = :block

-- name: codes
SELECT block, data FROM packed_code WHERE {owner} = :{owner} ORDER BY block

-- name: code_block
SELECT data FROM packed_code WHERE {owner} = :{owner} AND block = :block

-- name: put_codes
INSERT INTO packed_code ({owner}, block, data) VALUES (:{owner}, :block, :data)
ON CONFLICT ({owner}, block) DO UPDATE SET data = excluded.data

-- name: clear_postings
DELETE FROM packed_posting WHERE {owner} = :{owner}

-- name: clear_rows
DELETE FROM packed_row WHERE {owner} = :{owner}

-- name: clear_codes
DELETE FROM packed_code WHERE {owner} = :{owner}

-- name: unpack
UPDATE owner SET packed_rows = 0, version = version + 1, packed_version = packed_version + 1
WHERE user_id = :user_id

-- name: touch
UPDATE owner SET version = version + 1, packed_version = packed_version + 1
WHERE user_id = :user_id

-- name: set_packed
UPDATE owner SET packed_rows = :end WHERE user_id = :user_id

-- name: to_pack
SELECT number, user_id, next_row, packed_rows FROM owner WHERE next_row - packed_rows >= :every
