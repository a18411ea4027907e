-- Keys, receipts and answers of a server.

-- name: add_key, for everybody
INSERT INTO api_key (id, hash, user_id, is_admin, created_at)
VALUES (:id, :hash, :user_id, :is_admin, :created_at)

-- name: key_by_hash, for everybody
SELECT id, user_id, is_admin, created_at, revoked_at FROM api_key WHERE hash = :hash

-- name: keys, for everybody
SELECT id, user_id, is_admin, created_at, revoked_at FROM api_key
ORDER BY created_at DESC, id

-- name: revoke_key, for everybody
UPDATE api_key SET revoked_at = :at WHERE id = :id AND revoked_at IS NULL RETURNING id

-- name: any_key, for everybody
SELECT 1 FROM api_key LIMIT 1

-- name: forget_revoked_keys, for everybody
DELETE FROM api_key WHERE revoked_at IS NOT NULL

-- name: put_receipt, for a user
INSERT INTO receipt (id, user_id, session_id, created_at, body)
VALUES (:id, :user_id, :session_id, :created_at, :body)
ON CONFLICT (user_id, id) DO UPDATE SET created_at = excluded.created_at

-- name: receipt, for a user
SELECT body FROM receipt WHERE user_id = :user_id AND id = :id

-- name: forget_receipts, for everybody
DELETE FROM receipt WHERE created_at < :before

-- name: begin_answer, for a user
INSERT INTO idempotent_answer (user_id, key, request, created_at)
VALUES (:user_id, :key, :request, :created_at)
ON CONFLICT DO NOTHING RETURNING key

-- name: answer, for a user
SELECT request, status, body FROM idempotent_answer WHERE user_id = :user_id AND key = :key

-- name: finish_answer, for a user
UPDATE idempotent_answer SET status = :status, body = :body
WHERE user_id = :user_id AND key = :key

-- name: abandon_answer, for a user
DELETE FROM idempotent_answer WHERE user_id = :user_id AND key = :key

-- name: blank_answers, for everybody
UPDATE idempotent_answer SET body = NULL WHERE body IS NOT NULL

-- name: forget_answers, for everybody
DELETE FROM idempotent_answer WHERE created_at < :before
