-- Households and groups, their members, the rules of roles, and the version of what is shared.

-- name: create
INSERT INTO circle (circle_id, kind, name, head, created_at)
VALUES (:circle_id, :kind, :name, :head, :at)

-- name: circle
SELECT circle_id, kind, name, head, created_at FROM circle WHERE circle_id = :circle_id

-- name: members
SELECT user_id, role FROM membership WHERE circle_id = :circle_id ORDER BY joined_at, user_id

-- name: circles_of
SELECT c.circle_id, c.kind, c.name, c.head, c.created_at
FROM membership s JOIN circle c USING (circle_id)
WHERE s.user_id = :member AND (CAST(:kind AS text) IS NULL OR c.kind = :kind)
ORDER BY c.created_at, c.circle_id

-- name: invite
INSERT INTO invitation (user_id, circle_id, role, invited_at)
VALUES (:member, :circle_id, :role, :at)
ON CONFLICT (user_id, circle_id) DO UPDATE SET role = excluded.role

-- name: invited
SELECT c.circle_id, c.kind, c.name, c.head, i.role, i.invited_at
FROM invitation i JOIN circle c USING (circle_id)
WHERE i.user_id = :member ORDER BY i.invited_at, c.circle_id

-- name: uninvite
DELETE FROM invitation WHERE circle_id = :circle_id AND user_id = :member RETURNING 1

-- name: delete_invitations
DELETE FROM invitation WHERE circle_id = :circle_id

-- name: put_head
UPDATE circle SET head = :head WHERE circle_id = :circle_id

-- name: put_member
INSERT INTO membership (user_id, circle_id, role, joined_at)
VALUES (:member, :circle_id, :role, :at)
ON CONFLICT (user_id, circle_id) DO UPDATE SET role = excluded.role

-- name: remove_member
DELETE FROM membership WHERE circle_id = :circle_id AND user_id = :member RETURNING 1

-- name: delete_members
DELETE FROM membership WHERE circle_id = :circle_id

-- name: delete
DELETE FROM circle WHERE circle_id = :circle_id

-- name: rules
SELECT role, effect, tag FROM role_rule WHERE (CAST(:role AS text) IS NULL OR role = :role)
ORDER BY role, effect, tag

-- name: delete_rules
DELETE FROM role_rule WHERE role = :role

-- name: put_rule
INSERT INTO role_rule (role, effect, tag) VALUES (:role, :effect, :tag) ON CONFLICT DO NOTHING

-- name: version
SELECT version FROM sharing

-- name: touch
UPDATE sharing SET version = version + 1
