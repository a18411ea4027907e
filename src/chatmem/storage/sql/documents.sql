-- name: all, for a user
SELECT path, etag, modified_ns, changed_ns, size, inode, held FROM document WHERE user_id = :user_id

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
