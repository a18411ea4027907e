-- Sequences go on behind the numbers that were moved.

-- name: go_on_owner
SELECT setval('owner_number', (SELECT coalesce(max(number), 0) + 1 FROM owner), false)

-- name: go_on_history
SELECT setval('history_number', (SELECT coalesce(max(number), 0) + 1 FROM memory_history), false)

-- name: go_on_conversation
SELECT setval('conversation_id', (SELECT coalesce(max(id), 0) + 1 FROM conversation), false)

-- name: go_on_summary
SELECT setval('summary_id', (SELECT coalesce(max(id), 0) + 1 FROM session_summary), false)

-- name: go_on_profile
SELECT setval('profile_id', (SELECT coalesce(max(id), 0) + 1 FROM user_profile), false)

-- name: go_on_job
SELECT setval('job_number', (SELECT coalesce(max(number), 0) + 1 FROM job), false)
