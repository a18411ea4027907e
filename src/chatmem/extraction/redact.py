"""Text without the secrets in it: keys, passwords, card and ID numbers are no memories."""

import re
from dataclasses import dataclass
from typing import Final

from chatmem.errors import ReaderWeightsError
from chatmem.extraction.reader.labels import Secret
from chatmem.extraction.reader.reading import secrets_in
from chatmem.extraction.redact_labels import by_label
from chatmem.extraction.redact_shapes import by_shape
from chatmem.text.languages import language_by_script, script_phrases

KINDS: Final = ("password", "code", "card", "account", "id", "key", "private_key", "seed")
_LABELS: Final = {kind: script_phrases(f"secret.{kind}") for kind in KINDS}
_HIDDEN: Final = script_phrases("secret.hidden")
_MASKED: Final = re.compile(
    rf"\[(?:{'|'.join(map(re.escape, _HIDDEN.values()))})(?P<label>[^\]\n]{{1,20}})\]"
)
_KIND_OF: Final = {label: kind for kind, labels in _LABELS.items() for label in labels.values()}
# Letters and figures of full width, as Chinese keyboards write them; one for one, places stay.
_WIDE: Final = re.compile("[０-９Ａ-Ｚａ-ｚ]")
_NARROW: Final = {code: code - 0xFEE0 for code in range(0xFF10, 0xFF5B) if chr(code).isalnum()}
_DATE: Final = re.compile(r"(?<!\d)(?:19|20)\d\d-\d\d(?:-\d\d)?(?!\d)")
"""As chatmem itself writes dates into a memory."""
_ENDS: Final = "，。！？；：、…"
"""What stands behind a secret in Chinese, and is no part of one."""
_MAX_ROUNDS: Final = 4
"""What stood glued to a masked number may be seen to be one as well, once that is gone."""
_SHORT_CHARS: Final = 400
"""A longer text is shown to the reader once, and not again without what was masked."""


@dataclass(frozen=True, slots=True)
class Masked:
    """A text without secrets; `kinds` are those it had, of `KINDS`, in order, each once."""

    text: str
    kinds: tuple[str, ...] = ()


def mask_secrets(text: str, *, reading: bool = False) -> Masked:
    """`text` with `[secret: password]` or `[已隐去：密码]` in each secret's place; idempotent.

    Secrets are known by form or by label; with `reading`, for messages from which something is
    made, also by the reader. Phone numbers and e-mail addresses are none: people want them
    remembered. Source: decisions 4 (masked before anything is stored as a memory).
    """
    kinds: list[str] = []
    current = text
    for number in range(_MAX_ROUNDS):
        again = number == 0 or len(text) <= _SHORT_CHARS
        if not (spans := _secrets(current, read=reading and again)):
            break
        kinds += (span.kind for span in spans)
        current = _without(current, spans)
    return Masked(current, tuple(dict.fromkeys(kinds)))


def masked_kinds(text: str) -> tuple[str, ...]:
    """The kinds of the secrets that were masked in `text`, of `KINDS`, in order, each once."""
    labels = (found["label"] for found in _MASKED.finditer(text))
    return tuple(dict.fromkeys(_KIND_OF[label] for label in labels if label in _KIND_OF))


def without_marks(text: str) -> str:
    """`text` with nothing but an ellipsis where something was masked."""
    return _MASKED.sub("…", text)


def _secrets(text: str, *, read: bool) -> list[Secret]:
    plain = text.translate(_NARROW) if _WIDE.search(text) else text
    found = _read(plain) if read else []
    return _merged([*by_shape(plain), *by_label(plain), *found], plain)


def _read(text: str) -> list[Secret]:
    """Secrets that the reader sees, but dates; none where it cannot read, which `doctor` says."""
    try:
        found = secrets_in(text)
    except ReaderWeightsError:
        return []
    dates = [one.span() for one in _DATE.finditer(text)] if found else []
    # Without the full stop behind it, or a comma of Chinese.
    lengths = (max(1, len(text[one.start : one.end].rstrip(_ENDS))) for one in found)
    spans = (
        one._replace(end=one.start + length) for one, length in zip(found, lengths, strict=True)
    )
    return [one for one in spans if not _overlaps(one, dates)]


def _overlaps(span: Secret, others: list[tuple[int, int]]) -> bool:
    return any(start < span.end and span.start < end for start, end in others)


def _without(text: str, spans: list[Secret]) -> str:
    script = language_by_script(text).script_of(text)
    parts: list[str] = []
    end = 0
    for span in spans:
        parts += text[end : span.start], f"[{_HIDDEN[script]}{_LABELS[span.kind][script]}]"
        end = span.end
    return "".join([*parts, text[end:]])


def _merged(spans: list[Secret], text: str) -> list[Secret]:
    """The spans in order, those that overlap as one of the longest one's kind."""
    masked = [found.span() for found in _MASKED.finditer(text)] if spans else []
    merged: list[Secret] = []
    for span in sorted(spans, key=lambda one: (one.start, -one.end)):
        if _overlaps(span, masked):
            continue
        if merged and span.start < merged[-1].end:
            last = merged.pop()
            kind = max(last, span, key=lambda one: one.end - one.start).kind
            span = Secret(last.start, max(last.end, span.end), kind)
        merged.append(span)
    return merged
