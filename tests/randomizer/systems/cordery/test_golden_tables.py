"""The same seed gives the same dice and the same table for ever: tables that were kept once.

``python -m tests.randomizer.systems.cordery.test_golden_tables`` records them again. That breaks
every table that anyone has named by its seed, and is for a change of the rules before they are
released.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from randomizer.systems.cordery.table.table_builder import TableBuilder
from randomizer.systems.cordery.table.table_words import area_record
from randomizer.systems.cordery.table_layers import planes_of_table
from tests.randomizer.systems.cordery.built_tables import base_of, built

GOLDEN = Path(__file__).resolve().parents[3] / "data" / "cordery" / "golden_tables.json"

TABLES: dict[str, dict[str, Any]] = {
    "squares": {"of": ("square", 8, 8), "seed": 1},
    "hexes": {"of": ("hex", 9, 8), "seed": 1},
    "the next number": {"of": ("hex", 9, 8), "seed": 1, "number": 1},
    "mountains and a town": {
        "of": ("hex", 9, 8),
        "seed": 7,
        "relief": "mountainous",
        "area": "urban",
        "railways": 1,
        "detour": True,
        "lakes": True,
    },
    "two of every route": {
        "of": ("square", 12, 10),
        "seed": 4_294_967_295,
        "rivers": 2,
        "roads": 2,
        "railways": 2,
        "marshes": True,
    },
    "a desert": {"of": ("hex", 6, 8), "seed": 3, "cover": "desert", "area": "wild"},
    "small and full": {
        "of": ("square", 6, 6),
        "seed": 5,
        "relief": "hilly",
        "cover": "forested",
        "planted": "vineyard",
        "road": "track",
    },
    "decided by hand": {
        "of": ("square", 8, 8),
        "seed": 2,
        "fixed": "hills = 3; hill 2 at = 0404; river 1 width = 2; river 1 bank = left",
    },
    "a part thrown again": {"of": ("hex", 9, 8), "seed": 1, "trees_again": 2, "water_again": 1},
}


def record_of(builder: TableBuilder, grid_planes: Any) -> dict[str, Any]:
    """Where everything stands, and how every die fell."""
    grid = builder.table.grid
    areas = {
        builder.name_of(cell): area_record(grid, grid_planes, cell) for cell in range(grid.size)
    }
    return {
        "areas": {name: record for name, record in areas.items() if record},
        "dice": {name: list(scores) for name, scores in builder.throws.scores.items()},
    }


def table(name: str) -> dict[str, Any]:
    chosen = dict(TABLES[name])
    base = base_of(*chosen.pop("of"))
    builder = built(base, **chosen)
    return record_of(builder, planes_of_table(builder, base))


@pytest.mark.parametrize("name", TABLES)
def test_a_seed_gives_this_table_and_these_dice_for_ever(name: str) -> None:
    golden = json.loads(GOLDEN.read_text("utf-8"))[name]
    found = table(name)
    assert found["areas"] == golden["areas"]
    assert found["dice"] == golden["dice"]


def test_every_kept_table_is_thrown() -> None:
    assert set(json.loads(GOLDEN.read_text("utf-8"))) == set(TABLES)


if __name__ == "__main__":
    lines = (f"{json.dumps(name)}: {json.dumps(table(name))}" for name in TABLES)
    GOLDEN.parent.mkdir(parents=True, exist_ok=True)
    GOLDEN.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")
