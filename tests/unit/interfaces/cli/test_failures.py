"""How a command fails."""

import json

import pytest
import typer

from chatmem.errors import StorageError
from chatmem.interfaces.cli.app import errors_reported


def test_an_error_is_one_line_and_exit_code_1(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit) as exit_, errors_reported(as_json=False):
        raise StorageError("chat.db: damaged\n  run `chatmem doctor`")
    assert exit_.value.exit_code == 1
    assert capsys.readouterr().err == "chatmem: chat.db: damaged run `chatmem doctor`\n"


def test_an_error_is_an_object_where_json_is_wanted(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit), errors_reported(as_json=True):
        raise StorageError("壞了")
    assert json.loads(capsys.readouterr().err) == {"error": "壞了"}


def test_what_the_system_refuses_names_the_file(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit) as exit_, errors_reported(as_json=False):
        open("/none/such")  # noqa: SIM115  # it fails
    assert exit_.value.exit_code == 1
    assert capsys.readouterr().err == "chatmem: /none/such: No such file or directory\n"


def test_a_mistake_of_ours_is_not_hidden() -> None:
    with pytest.raises(ZeroDivisionError), errors_reported(as_json=False):
        _ = 1 / 0
