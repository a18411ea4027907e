-- name: number, for everybody
SELECT number FROM owner WHERE user_id = :name

-- name: create, for everybody
INSERT INTO owner (user_id) VALUES (:name) ON CONFLICT DO NOTHING

-- name: take_rows, for a user
-- Nothing comes back where the user was deleted meanwhile, or is another one of this name by now.
UPDATE owner SET next_row = next_row + :count, version = version + 1
WHERE user_id = :user_id AND number = :owner
RETURNING next_row

-- name: touch, for a user
UPDATE owner SET version = version + 1 WHERE user_id = :user_id

-- name: extent, for a user
-- And the version of what is shared, with whom, by whom.
SELECT o.next_row, o.packed_rows, o.version{passed}, o.packed_version{passed},
    (SELECT version FROM sharing)
FROM owner o WHERE o.user_id = :user_id

-- name: state, for a user
-- The same, behind what else a call asks first. The queue may stand elsewhere: it is read by itself.
WITH waiting AS MATERIALIZED (
    SELECT 1 FROM vector_queue WHERE {of user}row_id BETWEEN :low AND :high LIMIT 1
)
SELECT (SELECT version FROM setting_change),
    (SELECT identity FROM index_identity WHERE what = 'embedder'),
    EXISTS (SELECT 1 FROM waiting),
    EXISTS (SELECT 1 FROM document WHERE user_id = :user_id AND held IS NOT NULL),
    o.next_row, o.packed_rows, o.version{passed}, o.packed_version{passed},
    (SELECT version FROM sharing)
FROM owner o WHERE o.user_id = :user_id

-- name: counted, for everybody
-- How many messages, valid long-term memories, keys that count and circles at whose head they are.
SELECT u.user_id,
    (SELECT count(*) FROM conversation c WHERE c.user_id = u.user_id),
    (SELECT count(*) FROM atomic_memory m
     WHERE m.user_id = u.user_id AND m.memory_type = 'long_term' AND m.valid_to IS NULL),
    (SELECT count(*) FROM api_key k WHERE k.user_id = u.user_id AND k.revoked_at IS NULL),
    (SELECT count(*) FROM circle h WHERE h.head = u.user_id)
FROM (
    SELECT user_id FROM owner UNION SELECT user_id FROM api_key
    UNION SELECT user_id FROM membership UNION SELECT user_id FROM invitation
) u
WHERE CAST(:name AS text) IS NULL OR u.user_id = :name
ORDER BY u.user_id

-- name: everybody, for everybody
SELECT number, user_id FROM owner ORDER BY number

-- name: name, for everybody
SELECT user_id FROM owner WHERE number = :number

-- name: session, for a user
SELECT number, last_row FROM session WHERE {owner} = :{owner} AND session_id = :session_id

-- name: create_session, for a user
INSERT INTO session ({owner}, number, session_id, last_row, created_at, updated_at)
SELECT :{owner}, coalesce(max(number), -1) + 1, :session_id, -1, :at, :at
FROM session WHERE {owner} = :{owner}
HAVING EXISTS (SELECT 1 FROM owner WHERE user_id = :user_id AND number = :owner)
RETURNING number, last_row

-- name: touch_session, for a user
UPDATE session SET last_row = :row,
    updated_at = CASE WHEN updated_at < :at THEN :at ELSE updated_at END
WHERE {owner} = :{owner} AND session_id = :session_id

-- name: speakers, for a user
SELECT number, name, terms FROM speaker WHERE {owner} = :{owner} ORDER BY number

-- name: create_speaker, for a user
INSERT INTO speaker ({owner}, number, name, terms)
SELECT :{owner}, coalesce(max(number), -1) + 1, :name, :terms FROM speaker WHERE {owner} = :{owner}
RETURNING number

-- name: forget_speakers, for a user
DELETE FROM speaker WHERE {owner} = :{owner} AND NOT EXISTS (
    SELECT 1 FROM memory_index i WHERE {of user} i.row_id BETWEEN :low AND :high AND i.speaker = speaker.number
)
