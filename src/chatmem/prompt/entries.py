"""How one memory, summary or message is written, with its origin."""

from chatmem.model import Hit, SessionSummary
from chatmem.prompt.excerpt import Wanted, excerpt
from chatmem.prompt.fence import item, label
from chatmem.prompt.material import Material, WindowMessage
from chatmem.text.language import Language

_ROLES: dict[Language, dict[str, str]] = {
    "en": {"user": "user", "assistant": "assistant", "tool": "tool", "system": "system"},
    "zh": {"user": "用户", "assistant": "助手", "tool": "工具", "system": "系统"},
}
_SHARED: dict[Language, str] = {"en": "shared by {}", "zh": "由 {} 分享"}
_UNTIL: dict[Language, str] = {"en": "until {}", "zh": "至 {}"}


def memory_line(hit: Hit, material: Material, max_tokens: int, want: Wanted) -> str:
    """`- (2023-05-08, Caroline) text`: when, who or what kind, who shared it, what."""
    memory = hit.memory
    language = material.language
    origin = [memory.timestamp.date().isoformat()]
    if memory.memory_type == "short_term" and memory.role:
        speaker = material.speakers.get(memory.id)
        origin.append(label(speaker) if speaker else _role(memory.role, language))
    elif memory.category:
        origin.append(memory.category)
    if memory.valid_to is not None:
        origin.append(_UNTIL[language].format(memory.valid_to.date().isoformat()))
    if memory.user_id != material.viewer:
        origin.append(_SHARED[language].format(label(memory.user_id)))
    return item(", ".join(origin), excerpt(memory.content, max_tokens, want))


def summary_line(summary: SessionSummary, language: Language, max_tokens: int, want: Wanted) -> str:
    """`- (2026-11-02) title: snippet`; a title that begins the snippet is not said twice."""
    title, snippet = summary.title.strip(), summary.snippet.strip()
    begun = snippet.startswith(title.rstrip("…. "))
    parts = [part for part in ("" if begun else title, snippet) if part]
    text = (": " if language == "en" else "：").join(parts)
    return item(summary.updated_at.date().isoformat(), excerpt(text, max_tokens, want))


def message_line(message: WindowMessage, language: Language) -> str:
    """`- (user) text`: a message of the running session in flat text."""
    return item(_role(message.role, language), message.content)


def _role(role: str, language: Language) -> str:
    return _ROLES[language].get(role) or label(role)
