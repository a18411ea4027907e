-- An owner's codes are compared in memory, however many there are.

DROP TABLE IF EXISTS memory_near;
