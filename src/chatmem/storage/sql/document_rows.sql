-- Documents as rows; every statement is about one user, and the first in a transaction locks that
-- user where several write at once (postgres/database.py).

-- name: lock, for a user
SELECT 1

-- name: stamps, for a user
SELECT path, version, octet_length(content) FROM document_text WHERE user_id = :user_id

-- name: stamp, for a user
SELECT version, octet_length(content) FROM document_text
WHERE user_id = :user_id AND path = :path

-- name: read, for a user
SELECT content, etag, version, octet_length(content) FROM document_text
WHERE user_id = :user_id AND path = :path

-- name: write, for a user
INSERT INTO document_text (user_id, path, content, etag, version)
VALUES (:user_id, :path, :content, :etag, {next version})
ON CONFLICT (user_id, path) DO UPDATE
SET content = excluded.content, etag = excluded.etag, version = excluded.version
RETURNING version

-- name: remove, for a user
DELETE FROM document_text WHERE user_id = :user_id AND path = :path
