-- Rows of tables that are led by an owner's number elsewhere, and sequences, which go on behind the
-- numbers that were moved.

-- name: put_of_owner, for everybody
INSERT INTO {table} ({names}) SELECT {values} FROM owner o WHERE o.number = {number}
ON CONFLICT DO NOTHING

-- name: go_on_owner, for everybody
SELECT setval('owner_number', (SELECT coalesce(max(number), 0) + 1 FROM owner), false)

-- name: go_on_history, for everybody
SELECT setval('history_number', (SELECT coalesce(max(number), 0) + 1 FROM memory_history), false)

-- name: go_on_conversation, for everybody
SELECT setval('conversation_id', (SELECT coalesce(max(id), 0) + 1 FROM conversation), false)

-- name: go_on_summary, for everybody
SELECT setval('summary_id', (SELECT coalesce(max(id), 0) + 1 FROM session_summary), false)

-- name: go_on_profile, for everybody
SELECT setval('profile_id', (SELECT coalesce(max(id), 0) + 1 FROM user_profile), false)

-- name: go_on_job, for everybody
SELECT setval('job_number', (SELECT coalesce(max(number), 0) + 1 FROM job), false)

-- name: columns, for nobody
SELECT c.relname::text, a.attname::text
FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND c.relnamespace = current_schema()::regnamespace
ORDER BY c.relname, a.attnum
