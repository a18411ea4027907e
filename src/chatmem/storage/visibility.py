"""Who may see a memory: the one predicate that every statement which reads memories contains.

Statements in `.sql` files carry the mark `{visible}`; the loader puts this text in its place, so no
reader exists without it. Unknown means denied.

Source: decisions 6.
"""

VISIBLE = "m.user_id = :viewer"
"""True for the rows that the user bound to `:viewer` may see; `m` is the memory's alias."""
