"""What of a message is a source of memories."""

import pytest

from chatmem.extraction.extractor import own_part


@pytest.mark.parametrize(
    ("content", "own"),
    [
        ("I live in Oslo", "I live in Oslo"),
        (
            '<memory source="MEMORY.md">\n- Lives in Paris\n</memory>\nI live in Oslo',
            "I live in Oslo",
        ),
        ('<memory source="x">\n- Lives in Paris\nnever closed', ""),
        ('我住在奥斯陆\n<document source="a">住在巴黎</document>', "我住在奥斯陆"),
        (
            "[SYSTEM]\nYou help.\n\n[MEMORY]\n- Lives in Paris\n\n[USER]\nI live in Oslo",
            "I live in Oslo",
        ),
        ('[[ABP_TOOL:x]]{"a": "I live in Paris"}[[END_ABP_TOOL]] I live in Oslo', "I live in Oslo"),
        ("<system-reminder>I live in Paris</system-reminder>I live in Oslo", "I live in Oslo"),
        ("I use <b> tags and [links](x)", "I use <b> tags and [links](x)"),
    ],
)
def test_what_was_put_into_a_message_is_taken_out(content: str, own: str) -> None:
    assert own_part(content) == own
