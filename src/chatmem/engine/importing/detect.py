"""Which format a file is in, told by its content."""

from collections.abc import Mapping

from chatmem.engine.importing.items import Format
from chatmem.engine.importing.source_file import SourceFile

EXPECTED = (
    "a ChatGPT export, OpenAI messages, LoCoMo, JSON Lines, mem0 memories, or Markdown bullets "
    "(name the format with --format)"
)

# The first field that an object has decides; the order matters where formats share fields.
_BY_FIELD: tuple[tuple[str, Format], ...] = (
    ("mapping", "chatgpt"),
    ("conversation", "locomo"),
    ("messages", "openai"),
    ("conv", "jsonl"),
    ("memory_type", "jsonl"),
    ("memory", "mem0"),
    ("role", "openai"),
    ("results", "mem0"),
    ("memories", "mem0"),
)


def detect_format(source: SourceFile) -> Format:
    """The format of the file.

    Raises:
        ImportFormatError: it is empty, or in none of the formats.
        StorageError: it cannot be read.
    """
    if source.is_zip:
        return "chatgpt"
    first = next(source.lines(), None)
    if first is None:
        raise source.broken(None, "the file is empty", EXPECTED, code="empty")
    if source.is_json_lines:
        return _of_object(source, source.parse(first[1], f"line {first[0]}"))
    if first[1].lstrip()[0] not in "{[" or source.path.suffix.lower() in (".md", ".markdown"):
        return "markdown"
    document = source.json
    if isinstance(document, list):
        if not document:
            raise source.broken(None, "an empty list", EXPECTED, code="empty")
        return _of_object(source, document[0])
    return _of_object(source, document)


def _of_object(source: SourceFile, sample: object) -> Format:
    if isinstance(sample, list):  # a list of conversations, each a bare list of messages
        sample = sample[0] if sample else None
    if isinstance(sample, Mapping):
        for field, name in _BY_FIELD:
            if field in sample:
                return name
        fields = ", ".join(map(str, list(sample)[:5]))
        raise source.broken(
            None, f"JSON of no known format (fields {fields})", EXPECTED, code="unknown"
        )
    raise source.broken(None, "JSON of no known format", EXPECTED, code="unknown")
