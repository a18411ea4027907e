"""Which language model the settings name."""

import pytest

from chatmem.config import Settings
from chatmem.engine.factory import make_chat_model
from chatmem.errors import SettingError


def test_without_a_model_in_the_settings_there_is_none() -> None:
    assert make_chat_model(Settings()) is None
    assert (
        make_chat_model(Settings().with_overrides({"llm.base_url": "http://127.0.0.1:1/v1"}))
        is None
    )


def test_a_model_needs_an_address() -> None:
    with pytest.raises(SettingError, match=r"llm\.base_url"):
        make_chat_model(Settings().with_overrides({"llm.model": "small-model"}))


def test_the_model_of_the_settings() -> None:
    settings = Settings().with_overrides(
        {"llm.model": "small-model", "llm.base_url": "http://127.0.0.1:1/v1"}
    )

    model = make_chat_model(settings)

    assert model is not None
    assert model.name == "small-model"
