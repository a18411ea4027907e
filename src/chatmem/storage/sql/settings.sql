-- Settings that were changed from inside, and a count of their changes.

-- name: all
SELECT name, value FROM setting ORDER BY name

-- name: put
INSERT INTO setting (name, value) VALUES (:name, :value) ON CONFLICT (name) DO UPDATE SET value = excluded.value

-- name: delete
DELETE FROM setting WHERE name = :name

-- name: version
SELECT version FROM setting_change

-- name: touch
UPDATE setting_change SET version = version + 1
