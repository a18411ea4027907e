-- name: retire, for nobody
-- Nothing to do: a sequence gives no number twice.
SELECT 1

-- name: extent, for a user
-- Both versions go by the generation of the index, too: a change of embedder makes all of them stale
-- at once.
SELECT o.next_row, o.packed_rows, o.version + g.passed, o.packed_version + g.passed,
    (SELECT version FROM sharing)
FROM owner o CROSS JOIN (
    SELECT coalesce(max(identity)::bigint, 0) AS passed
    FROM index_identity WHERE what = 'generation'
) g
WHERE o.user_id = :user_id
