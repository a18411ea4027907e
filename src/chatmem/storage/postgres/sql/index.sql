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
-- The columns of storage.values.ROW_DTYPE: state adds up RowState, time is in milliseconds.
SELECT i.row_id, least(i.length, 65535), i.session, i.previous, i.speaker, i.flags,
    1 + CASE WHEN m.memory_type = 'long_term' THEN 2 ELSE 0 END
        + CASE WHEN m.valid_to IS NOT NULL THEN 4 ELSE 0 END
        + CASE WHEN m.visibility <> 'private' THEN 8 ELSE 0 END,
    round(extract(epoch FROM m.timestamp::timestamptz) * 1000)::bigint
FROM memory_index i JOIN atomic_memory m USING (user_id, row_id)
WHERE i.user_id = :user_id AND m.user_id = :user_id AND {among} ORDER BY i.row_id

-- name: among_range, part
-- The range of one side only: with both, every row of one would be compared with every row of the other.
i.row_id BETWEEN :low AND :high

-- name: among_keys, part
i.row_id {in numbers keys}
