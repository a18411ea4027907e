-- A move from another database. What is in braces is filled from the lists of tables/transfer.py.

-- name: is_empty, for everybody
SELECT CASE WHEN EXISTS (SELECT 1 FROM atomic_memory) OR EXISTS (SELECT 1 FROM conversation)
    OR EXISTS (SELECT 1 FROM circle) OR EXISTS (SELECT 1 FROM api_key)
    OR EXISTS (SELECT 1 FROM setting) THEN 0 ELSE 1 END

-- name: begun, for nobody
SELECT identity FROM index_identity WHERE what = :what

-- name: mark, for nobody
INSERT INTO index_identity (what, identity) VALUES (:what, :identity)

-- name: unmark, for nobody
DELETE FROM index_identity WHERE what = :what

-- name: no_owners, for everybody
DELETE FROM owner

-- name: no_rules, for nobody
DELETE FROM role_rule

-- name: count, for everybody
SELECT count(*) FROM {table} AS t {among}

-- name: delete, for everybody
DELETE FROM {table} AS t {among}

-- name: pass_versions, for everybody
UPDATE owner SET version = version + :passed, packed_version = packed_version + :passed

-- name: no_embedder, for nobody
DELETE FROM index_identity WHERE what LIKE 'embedder%' OR what = 'codes_from'

-- name: last, for everybody
SELECT {key} FROM {source} ORDER BY {down} LIMIT 1

-- name: page, for everybody
SELECT {columns} FROM {source} {among} ORDER BY {key} LIMIT :limit

-- name: put, for everybody
INSERT INTO {table} ({names}) VALUES ({values}) ON CONFLICT DO NOTHING
