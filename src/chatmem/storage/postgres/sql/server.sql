-- What the server says of itself.

-- name: sizes
SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint
FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace

-- name: versions
SELECT current_setting('server_version'), extversion FROM pg_extension WHERE extname = 'vector'
