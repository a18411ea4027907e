-- Sessions as they are listed (S2.4).

-- name: standing, for a user
SELECT s.last_row, s.ended_at, w.updated_at, nullif(e.flush, '{}'),
    (SELECT version FROM setting_change), s.number,
    (SELECT number FROM speaker WHERE {owner} = :{owner} AND name = 'user'),
    (SELECT number FROM speaker WHERE {owner} = :{owner} AND name = 'assistant')
FROM (SELECT 1) one
LEFT JOIN session s ON s.{owner} = :{owner} AND s.session_id = :session_id
LEFT JOIN working_memory w ON w.user_id = :user_id AND w.session_id = :session_id
LEFT JOIN extraction e ON e.user_id = :user_id AND e.session_id = :session_id

-- name: reopen, for a user
UPDATE session SET ended_at = NULL, 
    updated_at = CASE WHEN updated_at < :at THEN :at ELSE updated_at END
WHERE {owner} = :{owner} AND session_id = :session_id

-- name: get, for a user
SELECT
    s.session_id,
    nullif(coalesce(s.title, (
        SELECT m.title FROM session_summary m
        WHERE m.user_id = :user_id AND m.session_id = s.session_id
        ORDER BY m.updated_at DESC, m.id DESC LIMIT 1
    )), ''),
    nullif((
        SELECT m.snippet FROM session_summary m
        WHERE m.user_id = :user_id AND m.session_id = s.session_id
        ORDER BY m.updated_at DESC, m.id DESC LIMIT 1
    ), ''),
    (SELECT count(*) FROM conversation c
     WHERE c.user_id = :user_id AND c.session_id = s.session_id),
    s.created_at, s.updated_at, s.ended_at
FROM session s WHERE s.{owner} = :{owner} AND s.session_id = :session_id

-- name: page, for a user
SELECT session_id FROM session WHERE {owner} = :{owner}
ORDER BY updated_at DESC, number DESC LIMIT :limit OFFSET :offset

-- name: count, for a user
SELECT count(*) FROM session WHERE {owner} = :{owner}

-- name: rename, for a user
UPDATE session SET title = :title WHERE {owner} = :{owner} AND session_id = :session_id

-- name: end, for a user
UPDATE session SET ended_at = :at WHERE {owner} = :{owner} AND session_id = :session_id

-- name: delete, for a user
DELETE FROM session WHERE {owner} = :{owner} AND session_id = :session_id
