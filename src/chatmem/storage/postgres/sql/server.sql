-- What the server says of itself.

-- name: sizes, for nobody
SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint
FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace

-- name: versions, for nobody
SELECT current_setting('server_version'), extversion FROM pg_extension WHERE extname = 'vector'

-- name: schema_version, for nobody
SELECT version FROM schema_version
