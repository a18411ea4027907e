-- name: everything, for a user
SELECT {memory}
FROM atomic_memory m {with counters}
WHERE m.user_id = :user_id AND m.row_id BETWEEN :low AND :high ORDER BY m.row_id LIMIT :limit
