-- The full-text index, what ranking knows of a row, and vectors.

-- name: create_full_text, for nobody
-- Tokens are made by chatmem.text; the tokenizer here only splits them at blanks.
CREATE VIRTUAL TABLE memory_fts USING fts5 (
    tokens, tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* P* S* Co'"
)

-- name: drop_full_text, for nobody
DROP TABLE IF EXISTS memory_fts

-- name: mark_full_text, for nobody
INSERT INTO index_identity (what, identity) VALUES ('full_text', :why) ON CONFLICT DO NOTHING

-- name: unmark_full_text, for nobody
DELETE FROM index_identity WHERE what = 'full_text'

-- name: has_full_text, for nobody
SELECT 1 FROM sqlite_master WHERE name = 'memory_fts'

-- name: check_full_text, for nobody
INSERT INTO memory_fts (memory_fts) VALUES ('integrity-check')

-- name: count_without_tokens, for everybody
-- Of those that are packed: the others may not have been entered yet.
SELECT count(*) FROM owner o JOIN atomic_memory m
    ON m.row_id BETWEEN o.number << 32 AND (o.number << 32) + o.packed_rows - 1
WHERE m.row_id NOT IN (SELECT id FROM memory_fts_content)

-- name: has_rows, for everybody
SELECT EXISTS (SELECT 1 FROM atomic_memory)

-- name: secure_full_text, for nobody
INSERT INTO memory_fts (memory_fts, rank) VALUES ('secure-delete', :secure)

-- name: merge_full_text, for nobody
INSERT INTO memory_fts (memory_fts) VALUES ('optimize')

-- name: insert_tokens, for a user
INSERT INTO memory_fts (rowid, tokens) VALUES (:row_id, :tokens)

-- name: enter_tokens, for everybody
INSERT INTO memory_fts (rowid, tokens)
SELECT m.row_id, index_terms(m.content) FROM atomic_memory m
WHERE m.row_id {in numbers keys} AND m.row_id NOT IN (SELECT id FROM memory_fts_content)

-- name: read_contents, for everybody
-- Before a transaction that enters them, which then has them at hand.
SELECT index_length(content) FROM atomic_memory WHERE row_id {in numbers keys}

-- name: enter_facts, for everybody
UPDATE memory_index SET length = index_length(m.content), flags = index_flags(m.content)
FROM atomic_memory m
WHERE memory_index.row_id {in numbers keys} AND memory_index.length = 0 AND m.row_id = memory_index.row_id

-- name: delete_tokens, for a user
DELETE FROM memory_fts WHERE rowid = :row_id

-- name: tokens_of, for a user
SELECT m.row_id, coalesce(c.c0, index_terms(m.content))
FROM atomic_memory m LEFT JOIN memory_fts_content c ON c.id = m.row_id
WHERE {visible} AND m.user_id = :viewer AND m.row_id {in numbers keys}

-- name: newest, for a user
SELECT i.row_id, coalesce(c.c0, (
    SELECT index_terms(m.content) FROM atomic_memory m
    WHERE m.row_id = i.row_id AND {visible} AND m.user_id = :viewer
))
FROM memory_index i LEFT JOIN memory_fts_content c ON c.id = i.row_id
WHERE i.row_id BETWEEN :low AND :high
ORDER BY i.row_id LIMIT :limit

-- name: match, for a user
SELECT rowid, tokens FROM memory_fts
WHERE memory_fts MATCH :query AND rowid BETWEEN :low AND :high
UNION ALL
SELECT m.row_id, index_terms(m.content) FROM atomic_memory m
WHERE {visible} AND m.user_id = :viewer AND m.row_id BETWEEN :low AND :high
    AND m.row_id NOT IN (SELECT id FROM memory_fts_content)
ORDER BY 1

-- name: contents_of, for a user
SELECT m.row_id, index_terms(m.content) FROM atomic_memory m
WHERE {visible} AND m.user_id = :viewer AND m.row_id {in numbers keys}

-- name: like, for a user
-- In place of `match`: at least the rows with a word that is asked for.
WITH known AS MATERIALIZED (
    SELECT m.row_id, index_terms(m.content) AS tokens FROM atomic_memory m
    WHERE {visible} AND m.user_id = :viewer AND m.row_id BETWEEN :low AND :high
)
SELECT row_id, tokens FROM known
WHERE EXISTS (SELECT 1 FROM json_each(:asked) asked WHERE tokens LIKE '%' || asked.value || '%')
ORDER BY row_id

-- name: insert_row, for a user
INSERT INTO memory_index (row_id, length, session, previous, speaker, flags)
VALUES (:row_id, :length, :session, :previous, :speaker, :flags)

-- name: update_row, for a user
UPDATE memory_index SET length = :length, flags = :flags WHERE row_id = :row_id

-- name: delete_row, for a user
DELETE FROM memory_index WHERE row_id = :row_id

-- name: rows, for a user
-- The columns of storage.values.ROW_DTYPE: state adds up RowState, time is in milliseconds. A length of 0 and
-- the flags wait for `enter_facts`.
SELECT i.row_id, min(CASE i.length WHEN 0 THEN index_length(m.content) ELSE i.length END, 65535),
    i.session, i.previous, i.speaker,
    CASE i.length WHEN 0 THEN index_flags(m.content) ELSE i.flags END,
    1 + 2 * (m.memory_type = 'long_term') + 4 * (m.valid_to IS NOT NULL)
        + 8 * (m.visibility <> 'private'),
    CAST(round(unixepoch(m.timestamp, 'subsec') * 1000) AS INTEGER)
FROM memory_index i JOIN atomic_memory m USING (row_id)
WHERE {among} ORDER BY i.row_id

-- name: among_range, part
i.row_id BETWEEN :low AND :high

-- name: among_keys, part
i.row_id {in numbers keys}

-- name: unindexed, for everybody
SELECT m.row_id, {memory}
FROM atomic_memory m {with counters}
WHERE NOT EXISTS (SELECT 1 FROM memory_index i WHERE i.row_id = m.row_id) ORDER BY m.row_id

-- name: mark_purge, for nobody
INSERT INTO index_identity (what, identity) VALUES ('purge', 'due') ON CONFLICT DO NOTHING

-- name: purge_mark, for nobody
SELECT identity FROM index_identity WHERE what = 'purge'

-- name: unmark_purge, for nobody
DELETE FROM index_identity WHERE what = 'purge'
