-- How far extraction has come, and which events were handled.

-- name: get, for a user
SELECT extracted_to, extracted_at, flush FROM extraction WHERE user_id = :user_id AND session_id = :session_id

-- name: put, for a user
INSERT INTO extraction (user_id, session_id, extracted_to, extracted_at, flush)
VALUES (:user_id, :session_id, :extracted_to, :extracted_at, :flush)
ON CONFLICT (user_id, session_id) DO UPDATE
SET extracted_to = excluded.extracted_to, extracted_at = excluded.extracted_at,
    flush = excluded.flush

-- name: handle, for a user
INSERT INTO handled_event (user_id, session_id, event_id, at)
VALUES (:user_id, :session_id, :event_id, :at)
ON CONFLICT DO NOTHING

-- name: is_handled, for a user
SELECT 1 FROM handled_event
WHERE user_id = :user_id AND session_id = :session_id AND event_id IN (:event_id, :plain)

-- name: forget_events, for everybody
DELETE FROM handled_event WHERE at < :before

-- name: delete_session, for a user
DELETE FROM extraction WHERE user_id = :user_id AND session_id = :session_id

-- name: delete_session_events, for a user
DELETE FROM handled_event WHERE user_id = :user_id AND session_id = :session_id
