-- The part that PostgreSQL says otherwise: texts in the order of their bytes, as on SQLite.

-- name: order_content, part
substr(m.content, 1, 40) COLLATE "C"
