-- Which application a memory came from, and who said it.
ALTER TABLE atomic_memory ADD COLUMN app_type TEXT;
ALTER TABLE atomic_memory ADD COLUMN role TEXT;
