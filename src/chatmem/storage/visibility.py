"""Who may see a memory: the one predicate that every statement which reads memories contains.

Statements in `.sql` files carry the mark `{visible}`, which stands for it. Unknown means denied: a
visibility, a role or a kind of circle that no row here allows shows nothing. What a role sees is
data (`role_rule`); a denial of any role that the viewer has in a circle with the owner hides the
memory, public ones too. Tags are compared by the forms of `text/normalise.py`.

Source: decisions 6.
"""

_TOGETHER = """FROM membership viewing
        JOIN membership owning ON owning.circle_id = viewing.circle_id
        JOIN circle shared ON shared.circle_id = viewing.circle_id
        JOIN role_rule r ON r.role = viewing.role
        WHERE viewing.user_id = :viewer AND owning.user_id = m.user_id"""


def visible(tag_matches: str) -> str:
    """True for the rows that the user bound to `:viewer` may see; `m` is the memory's alias.

    `tag_matches` is the store's expression for "`m` has the tag of the rule `r`".
    """
    tagged = f"(r.tag = '*' OR (m.tags <> '[]' AND {tag_matches}))"
    return f"""(m.user_id = :viewer OR (
    m.visibility IN ('household', 'group', 'public')
    AND (m.visibility = 'public' OR EXISTS (
        SELECT 1 {_TOGETHER}
        AND shared.kind = m.visibility AND r.effect = 'allow' AND {tagged}
    ))
    AND NOT EXISTS (
        SELECT 1 {_TOGETHER}
        AND r.effect = 'deny' AND {tagged}
    )
))"""
