-- name: all
SELECT path, etag, mtime_ns, size, inode, held FROM document WHERE user_id = ?

-- name: put
INSERT INTO document (user_id, path, etag, mtime_ns, size, inode, held)
VALUES (:user_id, :path, :etag, :mtime_ns, :size, :inode, :held)
ON CONFLICT (user_id, path) DO UPDATE SET
    etag = excluded.etag, mtime_ns = excluded.mtime_ns, size = excluded.size,
    inode = excluded.inode, held = excluded.held

-- name: delete
DELETE FROM document WHERE user_id = ? AND path = ?

-- name: clear
DELETE FROM document WHERE user_id = ?
