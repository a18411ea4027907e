"""Tags as they are compared."""

from chatmem.text.normalise import normalise


def tag_form(tag: str) -> str:
    """The tag without regard to case, width, blanks around it, or Traditional characters."""
    return " ".join(normalise(tag).split())
