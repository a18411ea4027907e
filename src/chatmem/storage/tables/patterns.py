"""Patterns of `LIKE`."""


def containing(text: str) -> str:
    """The pattern of everything that contains the text, whatever signs are in it."""
    escaped = text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return f"%{escaped}%"
