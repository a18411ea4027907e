-- Settings that were changed from inside, and a count of their changes.

-- name: all, for nobody
SELECT name, value FROM setting ORDER BY name

-- name: put, for nobody
INSERT INTO setting (name, value) VALUES (:name, :value) ON CONFLICT (name) DO UPDATE SET value = excluded.value

-- name: delete, for nobody
DELETE FROM setting WHERE name = :name

-- name: version, for nobody
SELECT version FROM setting_change

-- name: touch, for nobody
UPDATE setting_change SET version = version + 1
