-- Numbers of owners. One is never given twice: another process may still go by that of a deleted user.

-- name: create, for everybody
INSERT INTO owner (number, user_id)
SELECT 1 + max(coalesce((SELECT max(number) FROM owner), 0), coalesce(max(CAST(identity AS INTEGER)), 0)), :name
FROM index_identity WHERE what = 'retired owner'
ON CONFLICT DO NOTHING

-- name: retire, for nobody
INSERT INTO index_identity (what, identity) VALUES ('retired owner', CAST(:number AS TEXT))
ON CONFLICT (what) DO UPDATE SET identity = excluded.identity
WHERE CAST(excluded.identity AS INTEGER) > CAST(identity AS INTEGER)
