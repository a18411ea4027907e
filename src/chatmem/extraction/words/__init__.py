"""Words and patterns of the rules, in files: each is read once, when it is first needed."""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final

_FRAGMENT: Final = re.compile(r"\{([a-z_]{2,})\}")


@cache
def word_file(name: str) -> Mapping[str, Any]:
    """What stands in `<name>.toml`, its fragments put in where `{fragment}` stands for one."""
    text = (files(__name__) / f"{name}.toml").read_text(encoding="utf-8")
    kept = tomllib.loads(text)
    fragments = {one: _joined(said) for one, said in kept.pop("fragments", {}).items()}
    return {one: _filled(value, fragments) for one, value in kept.items()}


def _filled(value: Any, fragments: Mapping[str, str]) -> Any:  # noqa: ANN401 - any shape of TOML
    """A pattern in pieces becomes one text; tables, and lists of them, keep their shape."""
    if isinstance(value, Mapping):
        return {
            one: said if one == "keys" else _filled(said, fragments) for one, said in value.items()
        }
    if isinstance(value, list) and value and isinstance(value[0], Mapping):
        return [_filled(one, fragments) for one in value]
    if not isinstance(value, (str, list)):
        return value
    return _FRAGMENT.sub(lambda match: fragments.get(match[1], match[0]), _joined(value))


def _joined(said: str | list[str]) -> str:
    return said if isinstance(said, str) else "".join(said)
