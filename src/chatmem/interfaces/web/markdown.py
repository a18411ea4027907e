"""Markdown rendered without anything that acts or loads.

HTML in it is shown as text; links to web pages and mail addresses stay; pictures become links.
"""

from html import escape
from typing import Final
from urllib.parse import urlsplit

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from nicegui import ui

from chatmem.text.bullets import visible_text
from chatmem.text.clean import without_surrogates

PREVIEW_CHARS: Final = 60_000
"""Characters; rendering holds up the page, and nobody reads more of a preview."""
_HEADINGS: Final = {f"h{level}": f"h{min(level + 2, 6)}" for level in range(1, 7)}
"""The page has the first level, and the card around the text the second."""
_SCHEMES: Final = frozenset(("http", "https", "mailto"))
_RENDERER: Final = MarkdownIt().enable(["table", "strikethrough"])


def rendered(text: str) -> ui.html:
    """The text as a reader sees it, without chatmem's comments."""
    return ui.html(preview_text(text), sanitize=safe_html).classes("nicegui-markdown")


def preview_text(text: str) -> str:
    """What `rendered` shows of a text; for its `set_content`."""
    return visible_text(text[:PREVIEW_CHARS])


def safe_html(markdown: str) -> str:
    """The Markdown as HTML that neither acts nor loads anything."""
    return str(_RENDERER.render(without_surrogates(markdown)))


def _restrict(state: StateCore) -> None:
    """Change headings, links, pictures and HTML among the tokens that are to be rendered."""
    for token in state.tokens:
        token.tag = _HEADINGS.get(token.tag, token.tag)
        _show_as_text(token)
        leads_out = False
        for one in token.children or ():
            _show_as_text(one)
            if one.type == "link_open":
                leads_out = _leads_out(target := str(one.attrGet("href")))
                one.type, one.content = "html_inline", _link(target) if leads_out else ""
            elif one.type == "link_close" and not leads_out:
                one.type = "html_inline"
            elif one.type == "image":
                source, text = str(one.attrGet("src")), escape(one.content)
                link = f"{_link(source)}{text or escape(source)}</a>"
                one.type, one.content = "html_inline", link if _leads_out(source) else text


def _show_as_text(token: Token) -> None:
    """Escape a token of HTML; a comment is left out."""
    if token.type in ("html_block", "html_inline"):
        token.content = "" if token.content.startswith("<!--") else escape(token.content)


def _link(target: str) -> str:
    return f'<a href="{escape(target)}" target="_blank" rel="noopener noreferrer">'


def _leads_out(target: str) -> bool:
    try:
        return urlsplit(target.strip()).scheme.lower() in _SCHEMES
    except ValueError:
        return False


_RENDERER.core.ruler.push("restrict", _restrict)
