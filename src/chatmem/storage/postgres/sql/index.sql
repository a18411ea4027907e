-- What ranking knows of a row, and its tokens.

-- name: insert_row, for a user
INSERT INTO memory_index (user_id, row_id, length, session, previous, speaker, flags, tokens)
VALUES (:user_id, :row_id, :length, :session, :previous, :speaker, :flags, :tokens)

-- name: update_row, for a user
UPDATE memory_index SET length = :length, flags = :flags, tokens = :tokens WHERE {row}

-- name: delete_row, for a user
DELETE FROM memory_index WHERE {row}

-- name: tokens_of, for a user
SELECT row_id, tokens FROM memory_index WHERE user_id = :user_id AND row_id {in numbers keys}

-- name: newest, for a user
SELECT row_id, tokens FROM memory_index
WHERE user_id = :user_id AND row_id BETWEEN :low AND :high ORDER BY row_id

-- name: count_without_tokens, for everybody
SELECT count(*) FROM atomic_memory m LEFT JOIN memory_index i USING (user_id, row_id)
WHERE i.row_id IS NULL

-- name: rows, for a user
-- The columns of storage.values.ROW_DTYPE: state adds up RowState, time is in milliseconds. A full join is
-- hashed or merged. Any other the server would do row by row: it cannot know how many a range has.
SELECT i.row_id, least(i.length, 65535), i.session, i.previous, i.speaker, i.flags, m.state, m.time
FROM (SELECT * FROM memory_index WHERE user_id = :user_id AND {among}) i
FULL JOIN (
    SELECT row_id,
        1 + CASE WHEN memory_type = 'long_term' THEN 2 ELSE 0 END
            + CASE WHEN valid_to IS NOT NULL THEN 4 ELSE 0 END
            + CASE WHEN visibility <> 'private' THEN 8 ELSE 0 END AS state,
        round(extract(epoch FROM timestamp::timestamptz) * 1000)::bigint AS time
    FROM atomic_memory WHERE user_id = :user_id AND {among}
) m USING (row_id)
WHERE coalesce(i.length + m.state, -1) >= 0 ORDER BY i.row_id

-- name: among_range, part
row_id BETWEEN :low AND :high

-- name: among_keys, part
row_id {in numbers keys}
