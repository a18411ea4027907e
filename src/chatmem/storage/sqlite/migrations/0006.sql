-- Short-term and long-term memories (S1.1).
ALTER TABLE atomic_memory ADD COLUMN memory_type TEXT DEFAULT 'short_term';
