-- Households and groups, their members, the rules of roles, and the version of what is shared.

-- name: create, for everybody, locks the circle
INSERT INTO circle (circle_id, kind, name, head, created_at)
VALUES (:circle_id, :kind, :name, :head, :at)

-- name: circle, for everybody, locks the circle
SELECT circle_id, kind, name, head, created_at FROM circle WHERE circle_id = :circle_id

-- name: members, for everybody, locks the circle
SELECT user_id, role FROM membership WHERE circle_id = :circle_id ORDER BY joined_at, user_id

-- name: circles_of, for everybody
SELECT c.circle_id, c.kind, c.name, c.head, c.created_at
FROM membership s JOIN circle c USING (circle_id)
WHERE s.user_id = :member AND (CAST(:kind AS text) IS NULL OR c.kind = :kind)
ORDER BY c.created_at, c.circle_id

-- name: invite, for everybody, locks the circle
INSERT INTO invitation (user_id, circle_id, role, invited_at)
VALUES (:member, :circle_id, :role, :at)
ON CONFLICT (user_id, circle_id) DO UPDATE SET role = excluded.role

-- name: invited, for everybody
SELECT c.circle_id, c.kind, c.name, c.head, i.role, i.invited_at
FROM invitation i JOIN circle c USING (circle_id)
WHERE i.user_id = :member ORDER BY i.invited_at, c.circle_id

-- name: uninvite, for everybody, locks the circle
DELETE FROM invitation WHERE circle_id = :circle_id AND user_id = :member RETURNING 1

-- name: delete_invitations, for everybody, locks the circle
DELETE FROM invitation WHERE circle_id = :circle_id

-- name: put_head, for everybody, locks the circle
UPDATE circle SET head = :head WHERE circle_id = :circle_id

-- name: put_member, for everybody, locks the circle
INSERT INTO membership (user_id, circle_id, role, joined_at)
VALUES (:member, :circle_id, :role, :at)
ON CONFLICT (user_id, circle_id) DO UPDATE SET role = excluded.role

-- name: remove_member, for everybody, locks the circle
DELETE FROM membership WHERE circle_id = :circle_id AND user_id = :member

-- name: delete_members, for everybody, locks the circle
DELETE FROM membership WHERE circle_id = :circle_id

-- name: delete, for everybody, locks the circle
DELETE FROM circle WHERE circle_id = :circle_id

-- name: rules, for nobody
SELECT role, effect, tag FROM role_rule WHERE (CAST(:role AS text) IS NULL OR role = :role)
ORDER BY role, effect, tag

-- name: delete_rules, for nobody
DELETE FROM role_rule WHERE role = :role

-- name: put_rule, for nobody
INSERT INTO role_rule (role, effect, tag) VALUES (:role, :effect, :tag) ON CONFLICT DO NOTHING

-- name: touch, for nobody
UPDATE sharing SET version = version + 1
