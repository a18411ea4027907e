-- The columns of every table; of a virtual one also the row, whose key is that of a memory's row.

-- name: columns, for nobody
WITH known AS MATERIALIZED (
    SELECT name, type FROM pragma_table_list
    WHERE schema = 'main' AND type IN ('table', 'virtual') AND name NOT LIKE 'sqlite\_%' ESCAPE '\'
), own AS MATERIALIZED (
    -- What a virtual table keeps its rows in is its own affair; not all of that is marked as such.
    SELECT name, type FROM known WHERE NOT EXISTS (
        SELECT 1 FROM known v WHERE v.type = 'virtual' AND known.name LIKE v.name || '\_%' ESCAPE '\'
    )
)
SELECT own.name, c.name FROM own JOIN pragma_table_info(own.name) c
UNION ALL SELECT name, 'rowid' FROM own WHERE type = 'virtual'
