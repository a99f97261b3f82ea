"""Datasets in DuckDB, Polars and pandas: types, values, and the tables of a study recomputed."""

import csv
import json
import os
import subprocess
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
