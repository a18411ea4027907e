-- What the server says of itself.

-- name: sizes, for nobody
SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint
FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace

-- name: versions, for nobody
SELECT current_setting('server_version'), extversion FROM pg_extension WHERE extname = 'vector'

-- name: schema_version, for nobody
SELECT version FROM schema_version

-- name: text_columns, for nobody
SELECT quote_ident(table_name), quote_ident(column_name), data_type = 'bytea'
FROM information_schema.columns
WHERE table_schema = current_schema()
    AND data_type IN ('text', 'character varying', 'bytea', 'json', 'jsonb', 'ARRAY')
ORDER BY table_name, ordinal_position

-- name: holding_text, for everybody
SELECT {column}::text FROM {table} WHERE EXISTS (
    SELECT 1 FROM jsonb_array_elements_text(:wanted::jsonb) w
    WHERE position(w IN lower({column}::text)) > 0
)

-- name: holding_bytes, for everybody
SELECT {column} FROM {table} WHERE EXISTS (
    SELECT 1 FROM jsonb_array_elements_text(:wanted::jsonb) w
    WHERE position(decode(w, 'hex') IN {column}) > 0
)
