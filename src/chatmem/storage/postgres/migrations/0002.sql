-- Row-level security (security.sql, applied after every migration) lets an index serve a condition only
-- if the comparison tells nothing of rows that are hidden: `=` and `<` of columns do, what is computed in
-- the condition does not. So what was computed in an index stands in a column.

ALTER TABLE atomic_memory ADD COLUMN start_hash bigint
    GENERATED ALWAYS AS (hashtextextended(substr(content, 1, 50), 0)) STORED;
DROP INDEX memory_turn;
CREATE INDEX memory_turn ON atomic_memory (user_id, session_id, role, start_hash)
    WHERE role IS NOT NULL;

ALTER TABLE owner ADD COLUMN unpacked integer
    GENERATED ALWAYS AS (next_row - packed_rows) STORED;
DROP INDEX owner_to_pack;
CREATE INDEX owner_to_pack ON owner (unpacked);
