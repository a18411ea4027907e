"""Composing a prompt: a request is checked, what memory has for it is gathered and handed on.

`chatmem.prompt` makes the prompt of it.

Source: interfaces.md (`POST /api/sessions/{id}/context`); decisions 5; S1.4, S1.8, S2.1.1, S2.2.1,
S2.3.1, S2.5.1, S4.1, S4.2, S4.3.1, S5.6.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar, get_args

from chatmem.engine.checks import checked_choice, checked_text, checked_texts
from chatmem.engine.profiles.profiles import Profiles
from chatmem.engine.search.recall import recall_and_search
from chatmem.engine.space import Space
from chatmem.engine.state import COMPOSE, stage
from chatmem.errors import InvalidInputError
from chatmem.model import Hit, Missing, SearchResults
from chatmem.model.time import moment_or_now
from chatmem.prompt.compose import Prompt, compose
from chatmem.prompt.main_memory import MainMemory, prepare_main
from chatmem.prompt.material import (
    Budget,
    Material,
    RagDocument,
    WindowMessage,
    check_order,
    make_budget,
    read_tool,
    window,
)
from chatmem.prompt.receipt import Receipt
from chatmem.prompt.templates import DEFAULT_PERSONA, Scenario, Templates, load_templates
from chatmem.retrieval.query import ROLES
from chatmem.storage.documents.places import MAIN
from chatmem.text.clean import without_surrogates
from chatmem.text.languages import LanguageCode, language_of

if TYPE_CHECKING:
    from chatmem.engine.sessions.sessions import Sessions

LANGUAGES: tuple[LanguageCode, ...] = get_args(LanguageCode)


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextRequest:
    """A message and everything else that the caller decides about its prompt.

    `base_system_prompt` takes the place of the persona's own words; "" means none of either.
    `session_messages` is for applications that keep the conversation; None reads the session's.
    `budget` changes single limits by the names of `prompt.budget.Budget`. `use_memory` False leaves
    out everything remembered; `counts_access` False counts no memory as used.
    """

    message: str
    session_id: str | None = None
    base_system_prompt: str | None = None
    persona: str | None = None
    scenario: str | None = None
    skills: Sequence[str] = ()
    session_messages: Sequence[Mapping[str, Any]] | None = None
    rag: Sequence[str | Mapping[str, Any]] = ()
    tools: Sequence[Mapping[str, Any]] = ()
    language: str | None = None
    budget: Mapping[str, int] | None = None
    use_memory: bool = True
    counts_access: bool = True
    now: datetime | None = None


def _documents(rag: Sequence[str | Mapping[str, Any]]) -> tuple[RagDocument, ...]:
    """The caller's documents: text, or `{"content", "title"?, "source"?}`."""
    if isinstance(rag, (str, Mapping)):
        raise InvalidInputError("rag: takes a list of documents")
    return tuple(_document(one, f"rag[{index}]") for index, one in enumerate(rag))


def _document(value: object, place: str) -> RagDocument:
    if isinstance(value, str):
        return RagDocument(content=checked_text(value, place), title=None, source=None)
    if not isinstance(value, Mapping):
        kind = type(value).__name__
        raise InvalidInputError(f'{place}: got {kind}, takes text or {{"content", "title"?}}')
    return RagDocument(
        content=checked_text(value.get("content"), f"{place}.content"),
        title=_optional(value.get("title"), f"{place}.title"),
        source=_optional(value.get("source"), f"{place}.source"),
    )


def _optional(value: object, place: str) -> str | None:
    return None if value is None or value == "" else checked_text(value, place)


SEARCHED = 60
"""Search results looked at, at most: at 30 tokens each they fill the default memory section."""
LINE_TOKENS = 20
"""About the least that a result takes: what is past the memory section's room is not searched."""
MOST_EPISODES = 5
"""Of what was found in place of recalled episodes; scenarios take fewer."""
_MACHINES = ("tool", "system")
"""What they said is found by a search, and of no use in another prompt."""
_NO_MAIN = MainMemory()
_MOST_CACHED = 2_000
_Value = TypeVar("_Value")


class ContextMessages(list[dict[str, str]]):
    """Messages, each `{"role", "content"}`.

    `receipt` says what went in, `missing` what could not be used.
    """

    def __init__(
        self, messages: Iterable[dict[str, str]], receipt: Receipt, missing: tuple[Missing, ...]
    ) -> None:
        super().__init__(messages)
        self.receipt = receipt
        self.missing = missing


class ContextText(str):
    """A prompt as one text; `receipt` says what went in, `missing` what could not be used."""

    receipt: Receipt
    missing: tuple[Missing, ...]

    def __new__(cls, text: str, receipt: Receipt, missing: tuple[Missing, ...]) -> "ContextText":
        """The text with its receipt."""
        made = super().__new__(cls, text)
        made.receipt, made.missing = receipt, missing
        return made


class ContextCache:
    """What is the same for two prompts of a session, whose beginning must not change; thread-safe.

    MEMORY.md as the prompt takes it, by its stamp and cap; the language of a session; templates.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._values: OrderedDict[object, Any] = OrderedDict()

    def get(self, key: object, make: Callable[[], _Value]) -> _Value:
        """The value of this key, made where there is none; those used last are remembered."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
                known: _Value = self._values[key]
                return known
        made = make()
        with self._lock:
            self._values[key] = made
            while len(self._values) > _MOST_CACHED:
                self._values.popitem(last=False)
        return made


@dataclass(frozen=True, slots=True)
class Composer:
    """Composes prompts for one user."""

    space: Space
    profiles: Profiles
    sessions: "Sessions"
    cache: ContextCache

    def messages(self, request: ContextRequest) -> ContextMessages:
        """The prompt as messages: at most one system message, the window, the user's message."""
        prompt, missing = self._compose(request, flat=False)
        return ContextMessages(prompt.messages, prompt.receipt, missing)

    def text(self, request: ContextRequest) -> ContextText:
        """The prompt as one text, for completion models. Source: S4.1.1."""
        prompt, missing = self._compose(request, flat=True)
        return ContextText(prompt.text, prompt.receipt, missing)

    def templates(self) -> Templates:
        """The personas and scenarios that there are, by name."""
        folder = self.space.engine.templates_folder
        return self.cache.get(folder, lambda: load_templates(folder))

    def _compose(
        self, request: ContextRequest, *, flat: bool
    ) -> tuple[Prompt, tuple[Missing, ...]]:
        """Gather, compose, note what was used; the prompt, and what could not be used for it.

        Raises:
            InvalidInputError: a value that a request does not take; among them MessageOrderError
                and BudgetError.
            SessionNotFoundError: the session is another user's.
            TemplateNotFoundError: an unknown persona or scenario.
        """
        self.space.engine.note_caller()
        checked_text(request.message, "message")
        message = without_surrogates(request.message)  # its own words, in whole characters
        now = moment_or_now(request.now)
        if isinstance(request.tools, (str, Mapping)):
            raise InvalidInputError("tools: takes a list of tools")
        templates = self.templates()
        persona = templates.persona(request.persona or DEFAULT_PERSONA)
        scenario = templates.scenario(request.scenario) if request.scenario else None
        budget = self._budget(scenario, request.budget)
        system, conversation, in_window = self._window(request, message, budget)
        language = self._language(request, conversation, message)
        remembers = request.use_memory and self.space.engine.settings.memory.enabled
        base = request.base_system_prompt
        asked = remembers, request.scenario, request.skills, request.rag, request.tools
        if base is None and request.persona is None and not any(asked):
            base = ""  # without memory or anything else, a prompt stays bare
        material = Material(
            message=message,
            base_prompt="\n\n".join([*([base] if base else []), *system]) if system else base,
            skills=checked_texts(request.skills, "skills") if request.skills else (),
            date=now.astimezone().date(),
            language=language,
            window=conversation,
            rag=_documents(request.rag),
            tools=tuple(map(read_tool, request.tools)),
            viewer=self.space.owner.user_id,
        )
        recalled, found = SearchResults(), SearchResults()
        if remembers:
            self.space.documents.refresh()
            main = self._main(budget, language)
            room = (budget.memory_tokens - main.tokens) // LINE_TOKENS
            most = min(SEARCHED, max(MOST_EPISODES, room))
            recalled, found = self._search(request, message, now, in_window, most)
            material = self._with_memory(material, main, recalled, found, request.session_id)
        with stage(COMPOSE):
            prompt = compose(material, persona, scenario, budget, flat=flat)
        if request.counts_access and remembers:
            self._note_access(request, message, prompt, (*recalled, *found), now)
        return prompt, found.missing + self.space.documents.notices()

    def _with_memory(
        self,
        material: Material,
        main: MainMemory,
        recalled: SearchResults,
        found: SearchResults,
        session_id: str | None,
    ) -> Material:
        settings, owner = self.space.engine.settings.memory, self.space.owner
        summaries = self.space.store.summaries
        return replace(
            material,
            household=self.profiles.visible("household"),
            profile=self.profiles.visible("user") if settings.enable_user_profile else "",
            main=main,
            semantic=[hit for hit in recalled if hit.memory.kind != "episodic"],
            episodic=_episodes(recalled, found, session_id),
            summaries=summaries.recent(owner, settings.session_summary_limit, session_id),
            found=found.hits,
            speakers=self._speakers([*recalled, *found]),
        )

    def _search(
        self,
        request: ContextRequest,
        message: str,
        now: datetime,
        in_window: frozenset[str],
        most: int,
    ) -> tuple[SearchResults, SearchResults]:
        """Recalled long-term memories, and what a search finds beside the window."""
        recalled, found = recall_and_search(
            self.space,
            message,
            session_id=request.session_id,
            now=now,
            recall_limit=self.space.engine.settings.memory.rag_top_n,
            search_limit=most + len(in_window),
        )
        others = tuple(
            hit
            for hit in found
            if hit.memory.id not in in_window and hit.memory.role not in _MACHINES
        )
        return recalled, SearchResults(others[:most], found.missing)

    def _speakers(self, hits: Sequence[Hit]) -> Mapping[str, str]:
        """Who said the turns among the hits, in conversations whose speakers have names."""
        corpus = self.space.engine.corpora.get(self.space.store, self.space.owner)
        if {name for _, name, _ in corpus.speakers()} <= set(ROLES):
            return {}
        turns = [hit.memory.id for hit in hits if hit.memory.role is not None]
        return self.space.store.conversations.speakers_of(self.space.owner, turns)

    def _window(
        self, request: ContextRequest, message: str, budget: Budget
    ) -> tuple[list[str], tuple[WindowMessage, ...], frozenset[str]]:
        """System texts that came along, the window, and the memories whose words stand in it."""
        if request.session_id is not None:
            self.sessions.check_readable(request.session_id)
        if request.session_messages is not None:
            system, conversation = check_order(request.session_messages)
            return system, window(conversation, budget.window_messages), frozenset()
        if request.session_id is None:
            return [], (), frozenset()
        stored = self.sessions.window(request.session_id, budget.window_messages)
        if stored and stored[-1].role == "user" and stored[-1].content == message.strip():
            stored = stored[:-1]  # it was saved on arrival, and comes last in any case
        conversation = tuple(WindowMessage(one.role, one.content) for one in stored)
        return [], conversation, frozenset(one.memory_id for one in stored if one.memory_id)

    def _budget(self, scenario: Scenario | None, changes: Mapping[str, int] | None) -> Budget:
        """The settings' limits, changed by the scenario, changed by the caller."""
        memory = self.space.engine.settings.memory
        return make_budget(
            {
                "total_tokens": memory.prompt_max_tokens,
                "memory_tokens": memory.memory_section_tokens,
                "main_tokens": memory.main_section_tokens,
                "window_messages": memory.context_limit,
            },
            scenario.budget if scenario else {},
            changes or {},
        )

    def _main(self, budget: Budget, language: LanguageCode) -> MainMemory:
        stamp = self.space.documents.folder.stamp(MAIN)
        if stamp is None:
            return _NO_MAIN
        cap = min(budget.main_tokens, budget.memory_tokens)
        key = (self.space.owner.number, stamp, cap, language)

        def make() -> MainMemory:
            document = self.space.documents.folder.read(MAIN)
            return prepare_main(document.text, cap, language) if document else _NO_MAIN

        return self.cache.get(key, make)

    def _language(
        self, request: ContextRequest, conversation: Sequence[WindowMessage], message: str
    ) -> LanguageCode:
        if request.language is not None:
            return checked_choice(request.language, "language", LANGUAGES)
        first = next((one.content for one in conversation if one.role == "user"), message)
        if request.session_id is None:
            return language_of(first).code
        key = (self.space.owner.number, request.session_id)
        return self.cache.get(key, lambda: language_of(first).code)

    def _note_access(
        self,
        request: ContextRequest,
        message: str,
        prompt: Prompt,
        hits: Sequence[Hit],
        now: datetime,
    ) -> None:
        """Note the memories that reached the prompt."""
        engine = self.space.engine
        rendered = {item for section in prompt.receipt.sections for item in section.items}
        retrieved = dict.fromkeys(hit.memory.id for hit in hits)
        used = [memory_id for memory_id in retrieved if memory_id in rendered]
        engine.accesses.note(self.space.owner, request.session_id, message, used, now)
        if not engine.in_background:
            engine.accesses.flush(self.space.store)


def _episodes(
    recalled: SearchResults, found: SearchResults, session_id: str | None
) -> Sequence[Hit]:
    """Recalled episodes; where there are none, what a search finds of them, turns included."""
    episodes = [hit for hit in recalled if hit.memory.kind == "episodic"]
    if episodes:
        return episodes
    return [
        hit
        for hit in found
        if hit.memory.kind == "episodic"
        or (hit.memory.role and hit.memory.session_id != session_id)
    ][:MOST_EPISODES]
