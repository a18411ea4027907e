-- name: postings, for a user
SELECT term, block, data FROM packed_posting
WHERE {owner} = :{owner} AND term {in texts terms} ORDER BY term, block

-- name: prefix_postings, for a user
SELECT term, block, data FROM packed_posting
WHERE {owner} = :{owner} AND term >= :low AND term < :high

-- name: append_postings, for a user
INSERT INTO packed_posting ({owner}, term, block, data) VALUES (:{owner}, :term, :block, :data)
ON CONFLICT ({owner}, term, block) DO UPDATE SET data = {joined packed_posting}

-- name: posting_block, for a user
SELECT data FROM packed_posting WHERE {owner} = :{owner} AND term = :term AND block = :block

-- name: put_posting, for a user
INSERT INTO packed_posting ({owner}, term, block, data) VALUES (:{owner}, :term, :block, :data)
ON CONFLICT ({owner}, term, block) DO UPDATE SET data = excluded.data

-- name: delete_posting, for a user
DELETE FROM packed_posting WHERE {owner} = :{owner} AND term = :term AND block = :block

-- name: rows, for a user
SELECT block, data FROM packed_row WHERE {owner} = :{owner} ORDER BY block

-- name: row_block, for a user
SELECT data FROM packed_row WHERE {owner} = :{owner} AND block = :block

-- name: put_row, for a user
INSERT INTO packed_row ({owner}, block, data) VALUES (:{owner}, :block, :data)
ON CONFLICT ({owner}, block) DO UPDATE SET data = excluded.data

-- name: codes, for a user
SELECT block, data FROM packed_code WHERE {owner} = :{owner} ORDER BY block

-- name: code_block, for a user
SELECT data FROM packed_code WHERE {owner} = :{owner} AND block = :block

-- name: put_code, for a user
INSERT INTO packed_code ({owner}, block, data) VALUES (:{owner}, :block, :data)
ON CONFLICT ({owner}, block) DO UPDATE SET data = excluded.data

-- name: clear_postings, for a user
DELETE FROM packed_posting WHERE {owner} = :{owner}

-- name: clear_rows, for a user
DELETE FROM packed_row WHERE {owner} = :{owner}

-- name: clear_codes, for a user
DELETE FROM packed_code WHERE {owner} = :{owner}

-- name: unpack, for a user
UPDATE owner SET packed_rows = 0, version = version + 1, packed_version = packed_version + 1
WHERE user_id = :user_id

-- name: touch, for a user
UPDATE owner SET version = version + 1, packed_version = packed_version + 1
WHERE user_id = :user_id

-- name: set_packed, for a user
UPDATE owner SET packed_rows = :end WHERE user_id = :user_id

-- name: to_pack, for everybody
SELECT number, user_id, next_row, packed_rows FROM owner WHERE next_row - packed_rows >= :every
