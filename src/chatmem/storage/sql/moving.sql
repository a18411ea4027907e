-- A move from another database; the statements of tables are made in storage/tables/moving.py.

-- name: is_empty
SELECT CASE WHEN EXISTS (SELECT 1 FROM atomic_memory) OR EXISTS (SELECT 1 FROM conversation)
    OR EXISTS (SELECT 1 FROM circle) OR EXISTS (SELECT 1 FROM api_key)
    OR EXISTS (SELECT 1 FROM setting) THEN 0 ELSE 1 END

-- name: begun
SELECT identity FROM index_identity WHERE what = :what

-- name: mark
INSERT INTO index_identity (what, identity) VALUES (:what, :identity)

-- name: unmark
DELETE FROM index_identity WHERE what = :what

-- name: no_owners
DELETE FROM owner

-- name: no_rules
DELETE FROM role_rule
