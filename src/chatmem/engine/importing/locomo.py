"""LoCoMo's JSON: long conversations between two people, session by session.

    [{"sample_id": "conv-1", "conversation": {"speaker_a": "...", "session_1_date_time": "...",
      "session_1": [{"speaker": "...", "dia_id": "D1:1", "text": "...", "blip_caption": "..."}]}}]

Its questions and annotations are left alone. Source: interfaces.md, "Command line".
"""

import re
from collections.abc import Iterator, Mapping

from chatmem.engine.importing.items import role_and_speaker, with_caption
from chatmem.engine.importing.source_file import SourceFile
from chatmem.model import Message

EXPECTED = (
    'samples like {"sample_id", "conversation": {"session_1": [{"speaker", "dia_id", "text"}]}}'
)

_SESSION = re.compile(r"session_(\d+)")


def read(source: SourceFile) -> Iterator[Message]:
    """The messages of every sample, session after session in the order of their numbers.

    Raises:
        ImportFormatError: a sample, session or turn has not the expected shape.
    """
    document = source.json
    samples = document if isinstance(document, list) else [document]
    for index, sample in enumerate(samples):
        if not isinstance(sample, dict) or not isinstance(sample.get("conversation"), dict):
            raise source.broken(f"sample {index}", "no `conversation` object", EXPECTED)
        name = str(sample.get("sample_id", f"sample-{index}"))
        yield from _sample(source, name, sample["conversation"])


def _sample(source: SourceFile, name: str, conversation: Mapping[str, object]) -> Iterator[Message]:
    sessions = sorted(
        (int(match[1]), key) for key in conversation if (match := _SESSION.fullmatch(key))
    )
    if not sessions:
        raise source.broken(f"sample {name}", "no session", EXPECTED)
    moment = source.now
    for _, session in sessions:
        turns = conversation[session]
        if not isinstance(turns, list):
            raise source.broken(f"sample {name}, {session}", "not a list of turns", EXPECTED)
        moment = source.moment(conversation.get(f"{session}_date_time"), moment)
        for index, turn in enumerate(turns):
            place = f"sample {name}, {session}[{index}]"
            if not isinstance(turn, dict) or not isinstance(turn.get("text"), str):
                raise source.broken(place, "no `text`", EXPECTED)
            if not isinstance(turn.get("speaker"), str):
                raise source.broken(place, "no `speaker`", EXPECTED)
            role, speaker = role_and_speaker(turn["speaker"])
            yield Message(
                role=role,
                speaker=speaker,
                content=with_caption(turn["text"], turn.get("blip_caption")),
                session_id=f"{name}/{session}",
                timestamp=moment,
                source_id=f"{name}/{turn.get('dia_id', f'{session}:{index}')}",
            )
