"""The text that a reader has seen: it is what is saved."""


class ShownText:
    """Collects what is shown; whitespace waits until something stands behind it.

    So that the text as it was streamed and the text as it is saved are the same.
    """

    def __init__(self) -> None:
        self.text = ""
        self._waiting = ""
        self._before = ""

    def show(self, piece: str) -> str:
        """What of it, and of what waited, is shown now."""
        whole = self._waiting + piece
        if not self.text:
            whole = whole.lstrip()
        told = whole.rstrip()
        self._waiting = whole[len(told) :]
        self.text += told
        return told

    def begin_paragraph(self) -> None:
        """What comes next stands by itself."""
        self._waiting = "\n\n" if self.text else ""
        self._before = self.text

    def take_back(self) -> None:
        """What was shown of this paragraph was none: a model's thoughts."""
        self.text = self._before
        self._waiting = "\n\n" if self.text else ""
