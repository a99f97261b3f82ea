"""Loads a dataset with Polars and DuckDB, prints two tables and draws two plots.

tetrion run lee --mode sprint --games 1000 --record sprints.parquet
pip install duckdb polars pyarrow matplotlib
python examples/analysis.py sprints.parquet
"""

import sys
from pathlib import Path

import duckdb
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import polars as pl


def keys_by_piece(placements: Path) -> pl.DataFrame:
    """The keys and holds of each piece, with DuckDB: it reads the file where it is."""
    return duckdb.sql(
        f"""SELECT piece, count(*) AS placements, avg(keys) AS keys, avg(held::INT) AS held
            FROM '{placements}' GROUP BY piece ORDER BY piece"""
    ).pl()


def height_over_time(placements: Path) -> pl.DataFrame:
    """The mean height of the stack after each placement, with its spread, with Polars."""
    height = pl.col("height").cast(pl.Float64)
    return (
        pl.scan_parquet(placements)
        .group_by("index")
        .agg(
            height.mean().alias("mean"), height.quantile(0.1).alias("low"), height.quantile(0.9).alias("high")
        )
        .sort("index")
        .collect()
    )


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit("usage: python analysis.py FILE.parquet (from tetrion run … --record FILE.parquet)")
    placements = Path(sys.argv[1])
    keys = keys_by_piece(placements)
    print(keys)
    heights = height_over_time(placements)
    print(heights.head())

    figure, axes = plt.subplots()
    axes.bar(keys["piece"], keys["keys"])
    axes.set(title="Keys by piece", xlabel="piece", ylabel="keys per placement")
    figure.savefig(placements.with_name("keys-by-piece.png"))

    figure, axes = plt.subplots()
    axes.fill_between(
        heights["index"], heights["low"], heights["high"], alpha=0.2, label="10 to 90 % of games"
    )
    axes.plot(heights["index"], heights["mean"], label="mean")
    axes.set(title="Height over time", xlabel="placement", ylabel="height of the stack, in rows")
    axes.legend()
    figure.savefig(placements.with_name("height-over-time.png"))


if __name__ == "__main__":
    main()
