"""Datasets in DuckDB, Polars and pandas: types, values, and the tables of a study recomputed."""

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import duckdb
import pandas
import polars
import pytest

ROOT = Path(__file__).resolve().parents[2]
TETRION = os.environ.get("TETRION", str(ROOT / "target/debug/tetrion"))
# What everybody needs.
COLUMNS = "game seed agent index piece held orientation column row spin lines clear points keys".split()


def tetrion(*arguments: str | Path) -> dict:
    """Runs a command and reads the JSON that it prints."""
    command = [TETRION, *map(str, arguments), "--json"]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(run.stdout)


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict, Path]:
    """A run's report, and the folder with its tables as Parquet and as CSV."""
    folder = tmp_path_factory.mktemp("recorded")
    run = ["run", "lee", "--mode", "sprint", "--games", "20", "--seed", "9"]
    report = tetrion(*run, "--record", folder / "rows.parquet")
    tetrion(*run, "--record", folder / "rows.csv")
    return report, folder


def test_duckdb_adds_up_to_the_report(recorded: tuple[dict, Path]) -> None:
    report, folder = recorded
    found = duckdb.sql(
        f"""SELECT game, count(*), sum(lines), sum(points), sum(keys), sum(points_clear + points_back_to_back
            + points_combo + points_perfect_clear + points_drop)
            FROM '{folder}/rows.parquet' GROUP BY game ORDER BY game"""
    ).fetchall()
    expected = [
        (g["index"], g["pieces"], g["lines"], g["score"], g["keys"], g["score"]) for g in report["games"]
    ]
    assert found == expected
    games = duckdb.sql(
        f"SELECT game, pieces, lines, score, keys FROM '{folder}/rows-games.parquet' ORDER BY game"
    )
    assert games.fetchall() == [row[:5] for row in expected]


def test_types(recorded: tuple[dict, Path]) -> None:
    _, folder = recorded
    described = duckdb.sql(f"DESCRIBE FROM '{folder}/rows.parquet'").fetchall()
    types = {name: kind for name, kind, *_ in described}
    assert set(COLUMNS) <= set(types)
    wanted = {"seed": "UBIGINT", "piece": "VARCHAR", "held": "BOOLEAN", "lines": "UTINYINT"}
    assert {name: types[name] for name in wanted} == wanted
    schema = polars.read_parquet(folder / "rows.parquet").schema
    assert (schema["seed"], schema["piece"], schema["held"]) == (polars.UInt64, polars.String, polars.Boolean)
    frame = pandas.read_parquet(folder / "rows.parquet")
    assert (frame["seed"].dtype, frame["held"].dtype, frame["points"].dtype) == ("uint64", "bool", "uint32")


def test_the_schema_version_is_in_the_file(recorded: tuple[dict, Path]) -> None:
    _, folder = recorded
    found = duckdb.sql(f"SELECT key, value FROM parquet_kv_metadata('{folder}/rows.parquet')").fetchall()
    assert dict(found)[b"tetrion:schema"] == b"1"
    assert duckdb.sql(f"SELECT DISTINCT schema FROM '{folder}/rows.csv'").fetchall() == [(1,)]


def test_csv_and_parquet_hold_the_same(recorded: tuple[dict, Path]) -> None:
    _, folder = recorded
    frame = polars.read_parquet(folder / "rows.parquet")
    rows = list(csv.DictReader((folder / "rows.csv").open()))
    assert len(rows) == len(frame)
    for name in COLUMNS:
        expected = ["" if value is None else str(value).lower() for value in frame[name]]
        assert [row[name].lower() for row in rows] == expected, name


def test_the_example_draws_its_plots(recorded: tuple[dict, Path]) -> None:
    _, folder = recorded
    command = [sys.executable, ROOT / "examples/analysis.py", folder / "rows.parquet"]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "keys" in said
    for plot in ["keys-by-piece.png", "height-over-time.png"]:
        assert (folder / plot).read_bytes().startswith(b"\x89PNG")


def test_a_studys_tables_from_its_data(tmp_path: Path) -> None:
    """Every number of a report that is a mean or a difference, recomputed from the Parquet files."""
    study = tmp_path / "small.toml"
    study.write_text(
        """version = 1
name = "small"
title = "Small"
question = "?"
games = 30
seed = 5
run = [{name = "a", mode = "sprint", agent = "lee"}, {name = "b", mode = "sprint", agent = "capstone"}]
claim = [{text = "a", measure = "pieces", less = "b", than = "a"}]
chart = [{title = "Keys", measure = "keys / pieces", label = "keys per piece", runs = ["a", "b"]},
         {title = "Freeform", measure = "stacking = freeform", label = "%", runs = ["a", "b"]}]
"""
    )
    results = tetrion("study", study, "--out", tmp_path / "out")
    formulas = {
        "pieces": "pieces",
        "keys / pieces": "keys / pieces",
        "stacking = freeform": "(stacking = 'freeform')::int",
    }
    for measure in results["measures"]:
        for name, found in zip("ab", measure["runs"], strict=True):
            formula, table = formulas[measure["measure"]], tmp_path / f"out/data/{name}-games.parquet"
            mean, games = duckdb.sql(
                f"SELECT avg({formula}), count(*) FROM '{table}' WHERE outcome <> 'top_out'"
            ).fetchall()[0]
            assert (found["mean"], found["games"]) == (pytest.approx(mean), games)
            assert found["ci95"][0] <= mean <= found["ci95"][1]
    difference, pairs = duckdb.sql(
        f"""SELECT avg(b.pieces::int - a.pieces::int), count(*) FROM '{tmp_path}/out/data/a-games.parquet' a
            JOIN '{tmp_path}/out/data/b-games.parquet' b USING (game, seed)
            WHERE a.outcome <> 'top_out' AND b.outcome <> 'top_out'"""
    ).fetchall()[0]
    compared = results["claims"][0]["comparison"]
    assert (compared["difference"], compared["pairs"]) == (pytest.approx(difference), pairs)
    # The table of games follows from the table of placements.
    for name in "ab":
        rows, games = tmp_path / f"out/data/{name}.parquet", tmp_path / f"out/data/{name}-games.parquet"
        wrong = duckdb.sql(
            f"""SELECT count(*) FROM '{games}' g JOIN (SELECT game, count(*) n, sum(keys) k, sum(holes_made) h
                FROM '{rows}' GROUP BY game) r USING (game)
                WHERE g.pieces <> n OR g.keys <> k OR g.holes_made <> h"""
        ).fetchall()[0]
        assert wrong == (0,)
    page = (tmp_path / "out/index.html").read_text()
    assert "http://www.w3.org/2000/svg" in page and "src=" not in page, "the page needs no network"
