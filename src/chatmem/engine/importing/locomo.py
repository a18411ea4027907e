"""LoCoMo's JSON: long conversations between two people, session by session.

    [{"sample_id": "conv-1", "conversation": {"speaker_a": "...", "session_1_date_time": "...",
      "session_1": [{"speaker": "...", "dia_id": "D1:1", "text": "...", "blip_caption": "..."}]}}]

Its questions and annotations are left alone. Source: interfaces.md, "Command line".
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from chatmem.engine.importing.source_file import SourceFile, role_and_speaker, with_caption
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
    for index, sample in enumerate(source.json_list):
        fields = source.checked(sample, f"sample {index}", EXPECTED, conversation=dict)
        name = str(fields.get("sample_id", f"sample-{index}"))
        yield from _sample(source, name, fields["conversation"])


def _sample(source: SourceFile, name: str, conversation: Mapping[str, Any]) -> Iterator[Message]:
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
            fields = source.checked(turn, place, EXPECTED, text=str, speaker=str)
            role, speaker = role_and_speaker(fields["speaker"])
            yield Message(
                role=role,
                speaker=speaker,
                content=with_caption(fields["text"], fields.get("blip_caption")),
                session_id=f"{name}/{session}",
                timestamp=moment,
                source_id=f"{name}/{fields.get('dia_id', f'{session}:{index}')}",
            )
