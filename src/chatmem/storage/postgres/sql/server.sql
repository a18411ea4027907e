-- What the server says of itself.

-- name: sizes, for nobody
SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint
FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace

-- name: versions, for nobody
SELECT current_setting('server_version'), extversion FROM pg_extension WHERE extname = 'vector'

-- name: schema_version, for nobody
SELECT version FROM schema_version

-- name: columns, for nobody
-- Of each that has text or bytes its table, its name, and how its bytes are read, in lower case.
SELECT quote_ident(table_name), quote_ident(column_name), format(
    CASE data_type WHEN 'bytea' THEN '%I' ELSE 'convert_to(lower(%I::text), ''UTF8'')' END,
    column_name
)
FROM information_schema.columns
WHERE table_schema = current_schema()
    AND data_type IN ('text', 'character varying', 'bytea', 'json', 'jsonb', 'ARRAY')
ORDER BY table_name, ordinal_position

-- name: holding, for everybody
SELECT {data} FROM {table} WHERE EXISTS (
    SELECT 1 FROM jsonb_array_elements_text(:wanted::jsonb) w
    WHERE position(decode(w, 'hex') IN {data}) > 0
)
