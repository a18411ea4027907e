-- A move from another database. What is in braces is filled from the lists of tables/transfer.py.

-- name: is_empty, for everybody
SELECT CASE WHEN EXISTS (SELECT 1 FROM atomic_memory) OR EXISTS (SELECT 1 FROM conversation)
    OR EXISTS (SELECT 1 FROM circle) OR EXISTS (SELECT 1 FROM api_key)
    OR EXISTS (SELECT 1 FROM setting) OR EXISTS (SELECT 1 FROM user_profile) THEN 0 ELSE 1 END

-- name: count, for everybody
SELECT count(*) FROM {table} AS t WHERE {among}

-- name: delete, for everybody
DELETE FROM {table} AS t WHERE {among}

-- name: pass_versions, for everybody
UPDATE owner SET version = version + :passed, packed_version = packed_version + :passed

-- name: page, for everybody
SELECT {columns} FROM {source} WHERE {among} ORDER BY {key} LIMIT :limit

-- name: put, for everybody
INSERT INTO {table} ({names}) VALUES ({values}) ON CONFLICT DO NOTHING
