"""Markdown rendered without anything that acts or loads.

Of its HTML plain structure stays, without attributes; links to web pages and mail addresses stay;
pictures become links; other tags are shown as text.
"""

from html import escape
from html.parser import HTMLParser
from typing import Final, TypeAlias
from urllib.parse import urlsplit

from nicegui import ui

from chatmem.text.bullets import visible_text

PREVIEW_CHARS: Final = 60_000
"""Characters; rendering holds up the page, and nobody reads more of a preview."""
_EXTRAS: Final = ["fenced-code-blocks", "tables", "strike", "cuddled-lists"]
_TEXT: Final = frozenset(("p", "em", "strong", "code", "pre", "blockquote", "br", "hr", "del", "s"))
_LISTS: Final = frozenset(("ul", "ol", "li", "table", "thead", "tbody", "tr", "th", "td"))
_DROPPED: Final = frozenset(("div", "span"))
"""Only the renderer's own code blocks have them, and the text inside is enough."""
_PLAIN: Final = _TEXT | _LISTS | _DROPPED
_VOID: Final = frozenset(("br", "hr"))
_HEADINGS: Final = {f"h{level}": f"h{min(level + 2, 6)}" for level in range(1, 7)}
"""The page has the first level, and the card around the text the second."""
_SCHEMES: Final = frozenset(("http", "https", "mailto"))
_Attributes: TypeAlias = list[tuple[str, str | None]]


def rendered(text: str) -> ui.markdown:
    """The text as a reader sees it, without chatmem's comments."""
    return ui.markdown(preview_text(text), extras=_EXTRAS, sanitize=harmless)


def preview_text(text: str) -> str:
    """What `rendered` shows of a text; for its `set_content`."""
    return visible_text(text[:PREVIEW_CHARS])


def harmless(html: str) -> str:
    """The same HTML without anything that acts, loads or looks like a part of the page."""
    cleaned = _Sanitizer()
    cleaned.feed(html)
    cleaned.close()
    return "".join(cleaned.pieces) + "".join(f"</{tag}>" for tag in reversed(cleaned.open))


class _Sanitizer(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: _Attributes) -> None:
        name = _HEADINGS.get(tag, tag)
        if tag == "a":
            target = dict(attrs).get("href") or ""
            if _leads_out(target):
                self.pieces.append(_link(target))
                self.open.append("a")
        elif tag == "img":
            given = dict(attrs)
            source, text = given.get("src") or "", escape(given.get("alt") or "")
            is_far = _leads_out(source)
            self.pieces.append(f"{_link(source)}{text or escape(source)}</a>" if is_far else text)
        elif tag in _VOID:
            self.pieces.append(f"<{tag}>")
        elif tag in _DROPPED:
            pass
        elif tag in _PLAIN or tag in _HEADINGS:
            self.pieces.append(f"<{name}>")
            self.open.append(name)
        else:
            self.pieces.append(escape(self.get_starttag_text() or ""))

    def handle_startendtag(self, tag: str, attrs: _Attributes) -> None:
        if tag in _VOID or tag == "img":
            self.handle_starttag(tag, attrs)
        else:
            self.pieces.append(escape(self.get_starttag_text() or ""))

    def handle_endtag(self, tag: str) -> None:
        name = _HEADINGS.get(tag, tag)
        if name in self.open:
            while (last := self.open.pop()) != name:
                self.pieces.append(f"</{last}>")
            self.pieces.append(f"</{name}>")
        elif tag not in _PLAIN and tag != "a":
            self.pieces.append(escape(f"</{tag}>"))

    def handle_data(self, data: str) -> None:
        self.pieces.append(escape(data))


def _link(target: str) -> str:
    return f'<a href="{escape(target)}" target="_blank" rel="noopener noreferrer">'


def _leads_out(target: str) -> bool:
    try:
        return urlsplit(target.strip()).scheme.lower() in _SCHEMES
    except ValueError:
        return False
