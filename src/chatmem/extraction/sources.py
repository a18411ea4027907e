"""Which messages, and which parts of them, are a source of memories: what the person says.

What chatmem itself put into a prompt, system texts, tool output and the assistant's words never
are: recalled memories would be remembered again, and again.

Source: decisions 4; lessons.md, "recalled text is extracted again".
"""

import re
from collections.abc import Iterable
from dataclasses import replace

from chatmem.extraction.candidate import Said

# What prompts fence: memories, documents, working instructions that a client sends back to us.
_INJECTED = re.compile(
    r"<(memory|document|system-reminder|system|tool_result)\b[^>\n]*>.*?(?:</\1\s*>|\Z)",
    re.DOTALL | re.IGNORECASE,
)
_SECTION = re.compile(
    r"^\[(?:SYSTEM|MEMORY|RAG|TOOL INSTR)\][^\n]*\n.*?(?=^\[USER\]|\Z)", re.DOTALL | re.MULTILINE
)
_CALL = re.compile(r"\[\[ABP_TOOL:.*?(?:\[\[END_ABP_TOOL\]\]|\Z)|```abp\b.*?(?:```|\Z)", re.DOTALL)
_USER_MARK = re.compile(r"^\[USER\][^\S\n]*\n?", re.MULTILINE)


def sources(messages: Iterable[Said]) -> list[Said]:
    """The person's messages, without what was put into them; those with nothing left are gone."""
    kept = []
    for message in messages:
        if message.role == "user":
            content = own_part(message.content)
            if content:
                kept.append(replace(message, content=content))
    return kept


def own_part(content: str) -> str:
    """A message without injected blocks, sections of our prompt, and tool calls."""
    if "<" in content:
        content = _INJECTED.sub("\n", content)
    if "[" in content:
        content = _USER_MARK.sub("", _SECTION.sub("\n", content))
    if "[[" in content or "```" in content:
        content = _CALL.sub("\n", content)
    return content.strip()
