"""How word lists are written down in this room: as blocks of words with spaces between them."""


def listed(block: str) -> tuple[str, ...]:
    """The words of `block`, in order."""
    return tuple(block.split())
