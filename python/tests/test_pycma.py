"""CMA-ES of Tetrion against pycma: the same functions, start, steps, noise and target, twenty seeds each."""

import json
import math
import statistics
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import cma
import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
SEEDS = range(1, 21)
MOST_EVALUATIONS = 200_000
MAX_EFFORT = 100


def sphere(x: np.ndarray) -> float:
    return float(np.sum(x**2))


def ellipsoid(x: np.ndarray) -> float:
    return float(np.sum(1e6 ** (np.arange(len(x)) / (len(x) - 1)) * x**2))


def rosenbrock(x: np.ndarray) -> float:
    return float(np.sum(100 * (x[:-1] ** 2 - x[1:]) ** 2 + (x[:-1] - 1) ** 2))


@dataclass(frozen=True)
class Problem:
    """A function, and from where to how low it is to be minimised."""

    function: Callable[[np.ndarray], float]
    dimension: int
    start: float
    target: float
    relative_noise: float = 0.0
    handled_noise: float = 0.0


PROBLEMS = {
    "sphere": Problem(sphere, 10, 1.0, 1e-9),
    "rosenbrock": Problem(rosenbrock, 8, 0.0, 1e-9),
    "ellipsoid": Problem(ellipsoid, 10, 1.0, 1e-9),
    "noisy ellipsoid": Problem(ellipsoid, 10, 1.0, 1e-6, relative_noise=0.01),
    "handled ellipsoid": Problem(ellipsoid, 5, 1.0, 0.1, handled_noise=1.0),
}


class PaperNoiseHandler(cma.NoiseHandler):
    """Noise handling with the constants and the treatment of the paper, which pycma's own have left."""

    def __init__(self, dimension: int) -> None:
        super().__init__(dimension, maxevals=[1, 1, MAX_EFFORT], aggregate=np.mean, reevals=2, epsilon=0)
        self.theta = 0.2
        self.cum = 1.0
        self.alphaevals = 1.5
        self.alphaevalsdown = 1 / 1.5

    def indices(self, fit: Sequence[float]) -> np.ndarray:
        return np.arange(2)

    def treat(self) -> float:
        at_limit = self.evaluations >= self.maxevals
        factor = super().treat()
        return factor if at_limit else 1.0


def evaluations_of_pycma(problem: Problem, seed: int) -> int:
    """Evaluations until the best value, or with noise that of the mean, is below the target."""
    random = np.random.default_rng(seed)

    def measured(x: np.ndarray) -> float:
        value = problem.function(np.asarray(x))
        size = problem.relative_noise * value + problem.handled_noise
        return value + size * random.standard_normal()

    options = {"seed": seed, "verbose": -9, "maxiter": math.inf}
    strategy = cma.CMAEvolutionStrategy(problem.dimension * [problem.start], 0.5, options)
    handler = PaperNoiseHandler(problem.dimension) if problem.handled_noise else None
    noisy = bool(problem.relative_noise or problem.handled_noise)
    evaluations = 0
    while evaluations < MOST_EVALUATIONS and not strategy.stop():
        points = strategy.ask()
        repeats = int(handler.evaluations) if handler else 1
        values = [float(np.mean([measured(x) for _ in range(repeats)])) for x in points]
        strategy.tell(points, values)
        evaluations += repeats * len(points)
        if handler:
            strategy.sigma *= handler(points, values, measured)
            evaluations += handler.evaluations_just_done
        reached = problem.function(strategy.mean) if noisy else min(values)
        if reached <= problem.target:
            return evaluations
    return MOST_EVALUATIONS


@pytest.fixture(scope="module")
def ours() -> dict[str, list[int]]:
    """Our evaluations by function."""
    # As `cargo test --workspace` builds it: then it is already there.
    build = "cargo build --quiet --workspace --example standard_functions"
    subprocess.run(build.split(), cwd=ROOT, check=True)
    program = ROOT / "target/debug/examples/standard_functions"
    output = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    runs: dict[str, list[int]] = {name: [] for name in PROBLEMS}
    for run in json.loads(output):
        assert run["dimension"] == PROBLEMS[run["function"]].dimension
        runs[run["function"]].append(run["evaluations"])
    return runs


def assert_median_within(values: list[int], others: list[int]) -> None:
    """The median of the values lies in the middle half of the others."""
    low, _, high = statistics.quantiles(others, n=4)
    assert low <= statistics.median(values) <= high, (sorted(values), sorted(others))


@pytest.mark.parametrize("name", PROBLEMS)
def test_as_many_evaluations_as_pycma(name: str, ours: dict[str, list[int]]) -> None:
    theirs = [evaluations_of_pycma(PROBLEMS[name], seed) for seed in SEEDS]
    assert len(ours[name]) == len(theirs)
    assert_median_within(ours[name], theirs)
    assert_median_within(theirs, ours[name])
