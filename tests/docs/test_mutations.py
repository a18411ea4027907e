"""The catalogue of mutations is whole, and each still fits the source (`bench/mutations.py`)."""

import ast

from mutations import Mutation, catalogue

import pages

MUTATIONS = catalogue()


def _is_python(mutation: Mutation) -> bool:
    """Whether the file can be read with the mutation in it."""
    try:
        ast.parse(mutation.text)
    except SyntaxError:
        return False
    return True


def test_every_scenario_has_a_mutation() -> None:
    ids = [scenario.id for scenario in pages.scenarios()]

    assert list(dict.fromkeys(one.scenario for one in MUTATIONS)) == ids
    assert set(pages.proofs()) == set(ids)


def test_every_mutation_fits_the_source_as_it_is() -> None:
    """Else write its `old` anew in bench/mutations.toml, so that it breaks the same."""
    assert [one.misfit for one in MUTATIONS if one.misfit] == []
    assert [one.new for one in MUTATIONS if one.file.endswith(".py") and not _is_python(one)] == []


def test_every_mutation_names_tests_that_carry_its_scenario() -> None:
    assert [one.by for one in MUTATIONS if len(one.tests) != len(one.by)] == []
