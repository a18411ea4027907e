"""Prompts as an application asks for them: messages for chat models, text for completion models.

    builder = ChatContextBuilder(memory)
    messages = builder.build_messages("什么时候搬家？", session_id)
    reply = client.chat.completions.create(model=..., messages=messages)
    memory.save_conversation_turn("什么时候搬家？", reply.choices[0].message.content, session_id)

A request is checked, what memory has for it is gathered, and `chatmem.prompt` makes the prompt.

Source: interfaces.md (`POST /api/sessions/{id}/context`); decisions 5; S1.4, S1.8, S2.1.1, S2.2.1,
S2.3.1, S2.5.1, S4.1, S4.2, S4.3.1, S5.6.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Protocol, get_args

from chatmem.engine.checks import checked_choice, checked_text, checked_texts
from chatmem.engine.remember.markdown import Profiles
from chatmem.engine.search.recall import recall_and_search
from chatmem.engine.sessions.sessions import Sessions
from chatmem.engine.space import Space, SpacePart
from chatmem.engine.state import COMPOSE, stage
from chatmem.errors import InvalidInputError
from chatmem.model import Hit, Missing, SearchResults
from chatmem.model.time import moment_or_now
from chatmem.prompt.compose import ContextMessages, ContextText, Prompt, compose
from chatmem.prompt.imitations import mark_of
from chatmem.prompt.material import (
    Budget,
    MainMemory,
    Material,
    RagDocument,
    WindowMessage,
    check_order,
    make_budget,
    prepare_main,
    read_tool,
    validated,
    window,
)
from chatmem.prompt.receipt import Receipt
from chatmem.prompt.templates import DEFAULT_PERSONA, Scenario, Templates, load_templates
from chatmem.retrieval.query import ROLES
from chatmem.storage.documents.places import MAIN
from chatmem.text.clean import without_surrogates
from chatmem.text.languages import LanguageCode, language_of

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
    return tuple(
        validated(RagDocument, {"content": one} if isinstance(one, str) else one, f"rag[{index}]")
        for index, one in enumerate(rag)
    )


SEARCHED = 60
"""Search results looked at, at most: at 30 tokens each they fill the default memory section."""
LINE_TOKENS = 20
"""About the least that a result takes: what is past the memory section's room is not searched."""
MOST_EPISODES = 5
"""Of what was found in place of recalled episodes; scenarios take fewer."""
_MACHINES = ("tool", "system")
"""What they said is found by a search, and of no use in another prompt."""
_NO_MAIN = MainMemory()


class Composer(SpacePart):
    """Composes prompts for one user."""

    def __init__(self, space: Space, profiles: Profiles, sessions: Sessions) -> None:
        super().__init__(space)
        self._profiles = profiles
        self._sessions = sessions

    def templates(self) -> Templates:
        """The personas and scenarios that there are, by name."""
        folder = self._engine.templates_folder
        return self._engine.cache.made(folder, lambda: load_templates(folder))

    def compose(self, request: ContextRequest, *, flat: bool) -> tuple[Prompt, tuple[Missing, ...]]:
        """Gather, compose, note what was used; the prompt, and what could not be used for it.

        `flat` asks for one text instead of messages.

        Raises:
            InvalidInputError: a value that a request does not take; among them MessageOrderError
                and BudgetError.
            TemplateNotFoundError: an unknown persona or scenario.
        """
        self._engine.note_caller()
        checked_text(request.message, "message")
        # Its own words, in whole characters.
        request = replace(request, message=without_surrogates(request.message))
        now = moment_or_now(request.now)
        if isinstance(request.tools, (str, Mapping)):
            raise InvalidInputError("tools: takes a list of tools")
        templates = self.templates()
        persona = templates.persona(request.persona or DEFAULT_PERSONA)
        scenario = templates.scenario(request.scenario) if request.scenario else None
        budget = self._budget(scenario, request.budget)
        system, conversation, in_window = self._window(request, budget)
        language = self._language(request, conversation)
        remembers = request.use_memory and self._engine.settings.memory.enabled
        base = request.base_system_prompt
        asked = remembers, request.scenario, request.skills, request.rag, request.tools
        if base is None and request.persona is None and not any(asked):
            base = ""  # without memory or anything else, a prompt stays bare
        material = Material(
            message=request.message,
            base_prompt="\n\n".join([*([base] if base else []), *system]) if system else base,
            skills=checked_texts(request.skills, "skills") if request.skills else (),
            date=now.astimezone().date(),
            language=language,
            window=conversation,
            rag=_documents(request.rag),
            tools=tuple(map(read_tool, request.tools)),
            viewer=self._owner.user_id,
            mark=mark_of(self._owner.number, request.session_id),
        )
        recalled, found = SearchResults(), SearchResults()
        if remembers:
            material, recalled, found = self._with_memory(material, request, budget, now, in_window)
        with stage(COMPOSE):
            prompt = compose(material, persona, scenario, budget, flat=flat)
        if request.counts_access and remembers:
            there = prompt.draft.present()
            retrieved = dict.fromkeys(hit.memory.id for hit in (*recalled, *found))
            used = [one for one in retrieved if one in there]
            accesses = self._engine.accesses
            accesses.note(self._owner, request.session_id, request.message, used, now)
            if not self._engine.in_background:
                accesses.flush(self._store)
        return prompt, found.missing if remembers else self._documents.notices()

    def _with_memory(
        self,
        material: Material,
        request: ContextRequest,
        budget: Budget,
        now: datetime,
        in_window: frozenset[str],
    ) -> tuple[Material, SearchResults, SearchResults]:
        """With recalled long-term memories, and with what a search finds beside the window."""
        state = self._documents.refresh()
        main = self._main(budget, material.language)
        room = (budget.memory_tokens - main.tokens) // LINE_TOKENS
        most = min(SEARCHED, max(MOST_EPISODES, room))
        session_id, limit = request.session_id, most + len(in_window)
        recalled, found = recall_and_search(
            self._space, state, request.message, session_id=session_id, now=now, search_limit=limit
        )
        others = tuple(
            hit
            for hit in found.hits
            if hit.memory.id not in in_window and hit.memory.role not in _MACHINES
        )
        found = SearchResults(others[:most], found.missing)
        # Recalled episodes; where there are none, what a search finds of them, turns included.
        episodes = [hit for hit in recalled if hit.memory.kind == "episodic"] or [
            hit
            for hit in found.hits
            if hit.memory.kind == "episodic"
            or (hit.memory.role and hit.memory.session_id != session_id)
        ][:MOST_EPISODES]
        settings, owner = self._engine.settings.memory, self._owner
        summaries = self._store.summaries
        material = replace(
            material,
            household=self._profiles.visible("household"),
            profile=self._profiles.visible("user") if settings.enable_user_profile else "",
            main=main,
            semantic=[hit for hit in recalled if hit.memory.kind != "episodic"],
            episodic=episodes,
            summaries=summaries.recent(owner, settings.session_summary_limit, session_id),
            found=found.hits,
            speakers=self._speakers([*recalled.hits, *found.hits]),
        )
        notices = self._documents.notices(held_too=state.held)
        return material, recalled, replace(found, missing=found.missing + notices)

    def _speakers(self, hits: Sequence[Hit]) -> Mapping[str, str]:
        """Who said the turns among the hits, in conversations whose speakers have names."""
        corpora = self._engine.corpora  # the search has just made sure of the corpus
        corpus = corpora.get(self._owner.number) or corpora.of(self._store, self._owner)
        if {name for _, name, _ in corpus.speakers} <= set(ROLES):
            return {}
        turns = [hit.memory.id for hit in hits if hit.memory.role is not None]
        return self._store.conversations.speakers_of(self._owner, turns)

    def _window(
        self, request: ContextRequest, budget: Budget
    ) -> tuple[list[str], tuple[WindowMessage, ...], frozenset[str]]:
        """System texts that came along, the window, and the memories whose words stand in it."""
        if request.session_id is not None:
            checked_text(request.session_id, "session_id")
        if request.session_messages is not None:
            system, conversation = check_order(request.session_messages)
            return system, window(conversation, budget.window_messages), frozenset()
        if request.session_id is None:
            return [], (), frozenset()
        stored = self._sessions.window(request.session_id, budget.window_messages)
        if stored and stored[-1].role == "user" and stored[-1].content == request.message.strip():
            stored = stored[:-1]  # it was saved on arrival, and comes last in any case
        conversation = tuple(WindowMessage(one.role, one.content) for one in stored)
        return [], conversation, frozenset(one.memory_id for one in stored if one.memory_id)

    def _budget(self, scenario: Scenario | None, changes: Mapping[str, int] | None) -> Budget:
        """The settings' limits, changed by the scenario, changed by the caller."""
        memory = self._engine.settings.memory
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
        stamp = self._documents.folder.stamp(MAIN)
        if stamp is None:
            return _NO_MAIN
        cap = min(budget.main_tokens, budget.memory_tokens)
        key = (self._owner.number, stamp, cap, language)

        def make() -> MainMemory:
            document = self._documents.folder.read(MAIN)
            return prepare_main(document.text, cap, language) if document else _NO_MAIN

        return self._engine.cache.made(key, make)

    def _language(
        self, request: ContextRequest, conversation: Sequence[WindowMessage]
    ) -> LanguageCode:
        if request.language is not None:
            return checked_choice(request.language, "language", LANGUAGES)
        first = next((one.content for one in conversation if one.role == "user"), request.message)
        if request.session_id is None:
            return language_of(first).code
        key = (self._owner.number, request.session_id)
        return self._engine.cache.made(key, lambda: language_of(first).code)


class ContextSource(Protocol):
    """A user's memory, as far as prompts are composed from it."""

    @property
    def context(self) -> Composer:
        """What its prompts are composed with."""


class _Builder:
    def __init__(self, memory: ContextSource, **defaults: Any) -> None:  # noqa: ANN401
        self._memory = memory
        self._defaults = defaults
        self._prompt: Prompt | None = None

    @property
    def receipt(self) -> Receipt | None:
        """That of the last call's prompt."""
        return self._prompt.receipt if self._prompt else None

    def _composed(
        self, message: str, session_id: str | None, options: dict[str, Any], *, flat: bool
    ) -> tuple[Prompt, tuple[Missing, ...]]:
        given = self._defaults | options
        try:
            request = ContextRequest(message=message, session_id=session_id, **given)
        except TypeError as error:
            known = ", ".join(ContextRequest.__dataclass_fields__)
            raise InvalidInputError(f"context: {error}; takes {known}") from error
        prompt, missing = self._memory.context.compose(request, flat=flat)
        self._prompt = prompt
        return prompt, missing


class ChatContextBuilder(_Builder):
    """Builds the messages that a chat model gets; `defaults` are options for every call.

    `receipt` is the last call's; each result carries its own.
    """

    def build_messages(
        self,
        message: str,
        session_id: str | None = None,
        **options: Any,  # noqa: ANN401
    ) -> ContextMessages:
        """One system message or none, the session's window, and the message, within the budget.

        `options` are fields of `ContextRequest`: `base_system_prompt, persona, scenario, skills,
        session_messages, rag, tools, language, budget, use_memory, counts_access, now`.

        Raises:
            InvalidInputError: an unknown option, or one with a value that does not fit.
            MessageOrderError: `session_messages` whose roles do not follow one another.
            BudgetError: the message, or what must stand beside it, is larger than the budget.
            TemplateNotFoundError: an unknown persona or scenario.

        Source: S1.4.1, S1.8, S4.1, S5.6.
        """
        return ContextMessages(*self._composed(message, session_id, options, flat=False))


class PromptComposer(_Builder):
    """Composes a prompt as flat text, for completion models; takes what the builder takes."""

    def compose(
        self,
        message: str,
        session_id: str | None = None,
        **options: Any,  # noqa: ANN401
    ) -> ContextText:
        """`[SYSTEM] [MEMORY] [RAG] [USER] [TOOL INSTR]`, those that there are, within the budget.

        Raises:
            ChatmemError: as `ChatContextBuilder.build_messages`.

        Source: S4.1.1, S5.6.
        """
        return ContextText(*self._composed(message, session_id, options, flat=True))
