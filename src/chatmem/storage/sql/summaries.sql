-- Summaries of sessions (S2.3); of an older file a session may have several: the newest counts.

-- name: update, for a user
UPDATE session_summary SET
    title = :title, snippet = :snippet, updated_at = :updated_at, message_count = :message_count,
    made_by = :made_by
WHERE user_id = :user_id AND id = (
    SELECT id FROM session_summary WHERE user_id = :user_id AND session_id = :session_id
    ORDER BY updated_at DESC, id DESC LIMIT 1
)
RETURNING id

-- name: insert, for a user
INSERT INTO session_summary (
    user_id, session_id, title, snippet, created_at, updated_at, message_count, made_by
) VALUES (
    :user_id, :session_id, :title, :snippet, :created_at, :updated_at, :message_count, :made_by
)

-- name: of_session, for a user
SELECT session_id, coalesce(title, ''), coalesce(snippet, ''), created_at,
    coalesce(updated_at, created_at), message_count, made_by
FROM session_summary WHERE user_id = :user_id AND session_id = :session_id
ORDER BY updated_at DESC, id DESC LIMIT 1

-- name: recent, for a user
SELECT session_id, coalesce(title, ''), coalesce(snippet, ''), created_at,
    coalesce(updated_at, created_at), message_count, made_by
FROM session_summary s
WHERE user_id = :user_id AND session_id IS NOT NULL AND session_id IS DISTINCT FROM :without
    AND (coalesce(title, '') <> '' OR coalesce(snippet, '') <> '')
    AND NOT EXISTS (
        SELECT 1 FROM session_summary n
        WHERE n.user_id = s.user_id AND n.session_id = s.session_id
            AND (n.updated_at, n.id) > (s.updated_at, s.id)
    )
ORDER BY updated_at DESC, id DESC LIMIT :limit

-- name: delete, for a user
DELETE FROM session_summary WHERE user_id = :user_id AND session_id = :session_id
