"""What others wrote does not become the user's own memory, whatever it is put into."""

from pathlib import Path

import poison
from tests.doors import by_words

ATTACKS = list(poison.attacks(300, seed=3))


def test_nothing_of_others_words_is_kept_as_the_users_own(tmp_path: Path) -> None:
    assert sum(bool(poison.kept(one.text)) for one in ATTACKS) > 0.9 * len(ATTACKS)
    assert [one.message for one in ATTACKS if poison.got_through(one)] == []
    with by_words(tmp_path) as memory:
        assert poison.durable(memory, ATTACKS[:25]) == []
        assert [one.message for one in ATTACKS[::10] if poison.unfenced(memory, one)] == []
    fewer, every = poison.held_back()
    assert fewer <= poison.MOST_HELD_BACK * every
