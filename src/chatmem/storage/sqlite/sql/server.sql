-- What is looked for in an encrypted file.

-- name: columns, for nobody
-- Of each that may have text or bytes its table, its name, and how its bytes are read, in lower case.
SELECT t.name, c.name, format(
    'iif(typeof(%s) = ''blob'', %s, CAST(lower(%s) AS BLOB))', c.name, c.name, c.name
)
FROM pragma_table_list t JOIN pragma_table_info(t.name) c
WHERE t.schema = 'main' AND t.type <> 'virtual' AND c.type <> 'INTEGER'

-- name: holding, for everybody
SELECT {data} FROM {table} WHERE EXISTS (
    SELECT 1 FROM json_each(:wanted) w WHERE instr({data}, unhex(w.value))
)
