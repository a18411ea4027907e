-- Profiles as they were last read; older versions may have left several rows for a user.

-- name: get, for a user
SELECT coalesce(content, ''), etag FROM user_profile WHERE user_id = :user_id AND document = :path ORDER BY id DESC LIMIT 1

-- name: delete, for a user
DELETE FROM user_profile WHERE user_id = :user_id AND document = :path

-- name: insert, for a user
INSERT INTO user_profile (user_id, document, content, etag, updated_at) 
VALUES (:user_id, :path, :content, :etag, :at)
