-- Statements by which a person looks through memories. {conditions} stands for the `if_` parts that
-- a filter needs, {order} for an `order_` part; `m` is the memory, `a` has its access counters.

-- name: page, for a user
SELECT m.row_id FROM atomic_memory m {with counters}
WHERE {visible} AND m.user_id = :viewer {conditions}
ORDER BY {order} LIMIT :limit OFFSET :offset

-- name: count, for a user
SELECT count(*) FROM atomic_memory m
WHERE {visible} AND m.user_id = :viewer AND m.row_id BETWEEN :low AND :high {conditions}

-- name: page_shared, for a user
-- What others share with the viewer, by the index of what is not private.
SELECT m.row_id FROM atomic_memory m {with counters}
WHERE {visible} AND m.visibility <> 'private' AND m.user_id <> :viewer {conditions}
ORDER BY {order} LIMIT :limit OFFSET :offset

-- name: count_shared, for a user
SELECT count(*) FROM atomic_memory m
WHERE {visible} AND m.visibility <> 'private' AND m.user_id <> :viewer {conditions}

-- name: rows, for a user
SELECT m.row_id FROM atomic_memory m
WHERE {visible} AND m.user_id = :viewer AND m.row_id BETWEEN :low AND :high {conditions}

-- name: rows_shared, for a user
SELECT m.row_id FROM atomic_memory m
WHERE {visible} AND m.visibility <> 'private' AND m.user_id <> :viewer {conditions}

-- name: added, for a user
SELECT substr(m.create_time, 1, 16), m.memory_type, m.category, count(*) FROM atomic_memory m
WHERE {visible} AND m.user_id = :viewer AND m.row_id BETWEEN :low AND :high
  AND m.create_time >= :since
GROUP BY substr(m.create_time, 1, 16), m.memory_type, m.category

-- name: if_text, part
AND m.content {like} :text ESCAPE '\'

-- name: if_spelled, part
AND (
    m.content {like} :text ESCAPE '\' OR m.content {like} :second ESCAPE '\'
    OR m.content {like} :third ESCAPE '\'
)

-- name: if_own, part
AND m.row_id BETWEEN :low AND :high

-- name: if_long_term, part
-- In these very words, which the index of long-term memories by their time answers to.
AND m.memory_type = 'long_term'

-- name: if_short_term, part
AND m.memory_type = 'short_term'

-- name: if_kind, part
AND m.kind = :kind

-- name: if_category, part
AND m.category = :category

-- name: if_source, part
AND m.source = :source

-- name: if_session_id, part
AND m.session_id = :session_id

-- name: if_visibility, part
AND m.visibility = :visibility

-- name: if_time_from, part
AND m.timestamp >= :time_from

-- name: if_time_to, part
AND m.timestamp <= :time_to

-- name: if_valid, part
AND m.valid_to IS NULL

-- name: if_superseded, part
AND m.valid_to IS NOT NULL

-- name: if_all, part

-- name: if_as_of, part
AND coalesce(m.valid_from, m.timestamp) <= :as_of
AND (m.valid_to IS NULL OR m.valid_to > :as_of)

-- name: order_timestamp, part
m.timestamp

-- name: order_create_time, part
m.create_time

-- name: order_confidence, part
m.confidence

-- name: order_importance, part
m.importance

-- name: order_access_count, part
coalesce(a.access_count, 0)

-- name: order_content, part
-- What a row of a table shows of it is enough, and sorts several times as fast.
substr(m.content, 1, 40)
