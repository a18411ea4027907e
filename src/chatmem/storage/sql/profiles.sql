-- Profiles as they were last read; older versions may have left several rows for a user.

-- name: get
SELECT content, etag FROM user_profile WHERE user_id = :user_id AND document = :path ORDER BY id DESC LIMIT 1

-- name: delete
DELETE FROM user_profile WHERE user_id = :user_id AND document = :path

-- name: insert
INSERT INTO user_profile (user_id, document, content, etag, updated_at) 
VALUES (:user_id, :path, :content, :etag, :at)
