-- name: retire, for nobody
-- Nothing to do: a sequence gives no number twice.
SELECT 1
