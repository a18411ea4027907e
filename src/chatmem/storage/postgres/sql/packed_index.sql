-- The part that PostgreSQL says otherwise: what is not packed yet stands in a column of its own, which an
-- index serves under row-level security, too.

-- name: to_pack, for everybody
SELECT number, user_id, next_row, packed_rows FROM owner WHERE unpacked >= :every
