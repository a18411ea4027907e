"""How good rankings are."""

from collections.abc import Mapping, Sequence
from statistics import fmean

RECALL_DEPTHS = (1, 3, 5, 10, 20)


def recall(ranked: Sequence[str], evidence: Sequence[str], depth: int) -> float:
    """The share of the evidence among the first `depth`, in [0, 1]; repeats count once."""
    wanted = set(evidence)
    first = list(dict.fromkeys(ranked))[:depth]
    return len(wanted.intersection(first)) / len(wanted)


def mean_recall(
    ranked: Mapping[str, Sequence[str]], evidence: Mapping[str, Sequence[str]]
) -> dict[int, float]:
    """Mean recall@k over the questions that have evidence, by k; empty when none has."""
    scored = [question for question, ids in evidence.items() if ids]
    if not scored:
        return {}
    return {
        depth: fmean(recall(ranked.get(key, ()), evidence[key], depth) for key in scored)
        for depth in RECALL_DEPTHS
    }
