-- name: all, for a user
SELECT path, etag, modified_ns, changed_ns, size, inode, held FROM document WHERE user_id = :user_id

-- name: of, for a user
SELECT path, etag, modified_ns, changed_ns, size, inode, held FROM document
WHERE user_id = :user_id AND (path {in texts paths} OR held IS NOT NULL)

-- name: put, for a user
INSERT INTO document (user_id, path, etag, modified_ns, changed_ns, size, inode, held)
VALUES (
    :user_id, :path, :etag, :modified_ns, :changed_ns, :size, :inode, :held
)
ON CONFLICT (user_id, path) DO UPDATE SET
    etag = excluded.etag, modified_ns = excluded.modified_ns, changed_ns = excluded.changed_ns,
    size = excluded.size, inode = excluded.inode, held = excluded.held

-- name: delete, for a user
DELETE FROM document WHERE user_id = :user_id AND path = :path

-- What follows: documents as rows. The first statement in a transaction locks the user where several
-- write at once (postgres/database.py).

-- name: lock_text, for a user
SELECT 1

-- name: stamps_text, for a user
SELECT path, version, octet_length(content) FROM document_text WHERE user_id = :user_id

-- name: stamp_text, for a user
SELECT version, octet_length(content) FROM document_text
WHERE user_id = :user_id AND path = :path

-- name: read_text, for a user
SELECT content, etag, version, octet_length(content) FROM document_text
WHERE user_id = :user_id AND path = :path

-- name: write_text, for a user
INSERT INTO document_text (user_id, path, content, etag, version)
VALUES (:user_id, :path, :content, :etag, {next version})
ON CONFLICT (user_id, path) DO UPDATE
SET content = excluded.content, etag = excluded.etag, version = excluded.version
RETURNING version

-- name: remove_text, for a user
DELETE FROM document_text WHERE user_id = :user_id AND path = :path
