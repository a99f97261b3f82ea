"""The statistics of studies against SciPy, on samples like those of games: skewed, and with ties."""

import json
import subprocess
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

ROOT = Path(__file__).resolve().parents[2]


def samples(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Two samples of the same games."""
    random = np.random.default_rng(20)
    match name:
        case "pieces":
            # Whole numbers close together: many ties.
            luck = random.poisson(3, 300)
            return 100 + luck + random.poisson(1, 300), 100 + luck + random.poisson(2, 300)
        case "lines":
            return random.exponential(1000, 80).round(), random.exponential(1300, 80).round()
        case "few":
            return np.array([3.0, 5, 2, 8, 7, 6, 9, 4, 1, 12]), np.array([1.0, 5, 3, 2, 6, 5, 4, 4, 0, 3])
    raise ValueError(name)


NAMES = ["pieces", "lines", "few"]
COUNTS = {"pieces": (17, 300), "lines": (0, 80), "few": (9, 10)}


@cache
def found(name: str) -> dict:
    """What Tetrion computes."""
    first, second = samples(name)
    count, of = COUNTS[name]
    asked = {"first": first.tolist(), "second": second.tolist(), "count": count, "of": of}
    command = ["cargo", "run", "--quiet", "-p", "tetrion-study", "--example", "statistics"]
    run = subprocess.run(
        command, cwd=ROOT, input=json.dumps(asked), capture_output=True, text=True, check=True
    )
    return json.loads(run.stdout)


@pytest.mark.parametrize("name", NAMES)
def test_intervals_of_shares(name: str) -> None:
    test = stats.binomtest(*COUNTS[name])
    for method in ["exact", "wilson"]:
        expected = test.proportion_ci(method=method)
        assert found(name)[method] == pytest.approx([expected.low, expected.high], abs=1e-9)


@pytest.mark.parametrize("name", NAMES)
def test_intervals_of_means(name: str) -> None:
    first, _ = samples(name)
    expected = stats.ttest_1samp(first, 0).confidence_interval()
    assert found(name)["t"] == pytest.approx([expected.low, expected.high], rel=1e-4)
    drawn = stats.bootstrap((first,), np.mean, n_resamples=99_999, batch=1_000, rng=1).confidence_interval
    # Both draw at random: their bounds differ by a small part of the width.
    width = drawn.high - drawn.low
    assert found(name)["bootstrap"] == pytest.approx([drawn.low, drawn.high], abs=width / 25)


@pytest.mark.parametrize("name", NAMES)
def test_paired_comparisons(name: str) -> None:
    first, second = samples(name)
    differences = first - second
    paired = found(name)["paired"]
    assert paired["difference"] == pytest.approx(differences.mean())
    assert paired["effect"] == pytest.approx(differences.mean() / differences.std(ddof=1))
    drawn = stats.permutation_test(
        (differences,), np.mean, permutation_type="samples", n_resamples=99_999, batch=1_000, rng=1
    ).pvalue
    error = 4 * np.sqrt(drawn * (1 - drawn) / 9_999) + 2e-4
    # Ten differences have 1,024 choices of signs: both count them all.
    assert paired["p"] == pytest.approx(drawn, abs=1e-12 if name == "few" else error)


@pytest.mark.parametrize("name", NAMES)
def test_rank_tests(name: str) -> None:
    first, second = samples(name)
    expected = stats.mannwhitneyu(first, second, method="asymptotic")
    ranks = found(name)["ranks"]
    assert ranks["u"] == pytest.approx(expected.statistic)
    assert ranks["p"] == pytest.approx(expected.pvalue, rel=1e-9)
    assert ranks["dominance"] == pytest.approx(np.sign(first[:, None] - second).mean())
    signed = found(name)["signed"]
    assert signed["p"] == pytest.approx(stats.wilcoxon(first, second, method="asymptotic").pvalue, rel=1e-9)


@pytest.mark.parametrize("name", NAMES)
def test_holm(name: str) -> None:
    p_values = [found(name)[test]["p"] for test in ["paired", "ranks", "signed"]]
    order = np.argsort(p_values)
    expected = np.minimum(1, np.maximum.accumulate(np.array(p_values)[order] * [3, 2, 1]))
    assert np.array(found(name)["holm"])[order] == pytest.approx(expected)
