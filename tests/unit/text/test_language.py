"""Which language and script a text is in."""

import pytest

from chatmem.text.languages import DEFAULT, LANGUAGES, Language, language_of, script_of


@pytest.mark.parametrize(
    ("text", "language", "script"),
    [
        ("", "en", "en"),
        ("123 👍", "en", "en"),
        ("I live in Berlin", "en", "en"),
        ("我住在柏林", "zh", "zh-Hans"),
        ("我下個月搬到柏林", "zh", "zh-Hant"),
        ("我用 Python 和 VS Code 写代码", "zh", "zh-Hans"),
        ("What does 缘分 mean in English?", "en", "en"),
        (
            "这段代码报错 ```raise ValueError('a long english message about values')```",
            "zh",
            "zh-Hans",
        ),
        ("看这里 https://example.com/a/very/long/path/in/english", "zh", "zh-Hans"),
    ],
)
def test_language_and_script(text: str, language: str, script: str) -> None:
    assert language_of(text).code == language
    assert script_of(text) == script


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda one: one.code)
def test_every_language_has_every_phrase(language: Language) -> None:
    """Slots of a task may keep their English names."""
    scripts = tuple(f".{script}" for one in LANGUAGES for script in one.scripts)
    needed = {name for name in DEFAULT.phrases if not name.endswith(scripts)}
    needed |= {
        name.removesuffix(DEFAULT.scripts[0]) + script
        for name in DEFAULT.phrases
        if name.endswith(scripts)
        for script in language.scripts
    }
    assert needed <= set(language.phrases)
