"""The transcript that Claude Code keeps of a session: a JSON object on each line."""

import json
import os
from typing import Any, Final

_TAIL_BYTES: Final = 1 << 20
"""An answer is at the end; transcripts with files in them are long."""


def last_answer(path: str) -> str:
    """The text of the session's newest answer, "" where there is none or it cannot be read."""
    try:
        with open(path, "rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - _TAIL_BYTES))
            lines = file.read().decode("utf-8", "replace").splitlines()
    except OSError:
        return ""
    for line in reversed(lines):
        try:
            entry = json.loads(line)
        except ValueError:  # cut in the middle, or being written
            continue
        if not isinstance(entry, dict) or entry.get("isSidechain"):
            continue
        if entry.get("type") == "assistant" and (text := _text(entry)):
            return text
        if entry.get("type") == "user" and _is_prompt(entry):
            return ""  # the prompt has no answer yet
    return ""


def _content(entry: dict[str, Any]) -> list[dict[str, Any]]:
    message = entry.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    blocks = content if isinstance(content, list) else []
    return [block for block in blocks if isinstance(block, dict)]


def _text(entry: dict[str, Any]) -> str:
    texts = [block.get("text") for block in _content(entry) if block.get("type") == "text"]
    return "\n".join(text for text in texts if isinstance(text, str)).strip()


def _is_prompt(entry: dict[str, Any]) -> bool:
    """False for a tool's result, which comes in the user's name."""
    return not any(block.get("type") == "tool_result" for block in _content(entry))
