"""The OpenAI Agents SDK with a memory: a session, instructions and tools of chatmem.

    pip install chatmem openai-agents
    python examples/openai_agents_memory.py

Runs offline: the model is the SDK's scripted one.
"""

import asyncio
import tempfile

from agents import Agent, RunConfig, Runner, set_tracing_disabled
from agents.testing import ScriptedModel, assistant_message, function_call

from chatmem import MemoryService, Settings
from chatmem.interfaces.integrations.openai_agents import (
    ChatmemSession,
    memory_function_tools,
    memory_hooks,
    remembering,
)

QUIET = RunConfig(tracing_disabled=True)
"""The SDK sends traces to its maker's server unless it is told not to."""


async def converse(memory: MemoryService) -> None:
    """One session teaches, the next one knows and looks something up."""
    model = ScriptedModel(
        [
            [assistant_message("Noted!")],
            [function_call("search_memory", {"query": "allergic"}, call_id="c1")],
            [assistant_message("You are allergic to shrimp.")],
        ]
    )
    agent = Agent(
        name="Cook",
        model=model,
        instructions=remembering(memory, "You suggest meals."),
        tools=memory_function_tools(memory),
    )
    first = ChatmemSession(memory, "one")
    await Runner.run(
        agent,
        "I live in Lisbon and I'm allergic to shrimp.",
        session=first,
        hooks=memory_hooks(memory, "one", token_limit=128_000),  # flushed before it is full
        run_config=QUIET,
    )
    memory.sessions.end("one")
    await asyncio.to_thread(memory.wait_until_idle)

    second = ChatmemSession(memory, "two")
    done = await Runner.run(agent, "What am I allergic to?", session=second, run_config=QUIET)
    print("instructions:", model.calls[1].system_instructions)
    print("answer:", done.final_output)
    print("history:", [item.get("type", item.get("role")) for item in await second.get_items()])


def main() -> None:
    """Run it on a folder that goes afterwards."""
    set_tracing_disabled(True)
    with (
        tempfile.TemporaryDirectory() as folder,
        MemoryService.open(folder, settings=Settings(embedder={"name": "none"})) as memory,
    ):
        asyncio.run(converse(memory))


if __name__ == "__main__":
    main()
