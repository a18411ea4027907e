"""The first Chinese texts may come on several threads at once."""

import subprocess
import sys

MANY = """
from concurrent.futures import ThreadPoolExecutor
from chatmem.text.segment import index_tokens
with ThreadPoolExecutor(16) as pool:
    found = list(pool.map(index_tokens, ["我下个月搬到柏林，帮我列个机器学习清单"] * 64))
assert all(one == found[0] for one in found)
"""


def test_the_dictionary_is_loaded_once_for_all_threads() -> None:
    for _ in range(3):
        done = subprocess.run(
            [sys.executable, "-c", MANY], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
