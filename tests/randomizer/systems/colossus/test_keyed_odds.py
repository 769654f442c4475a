"""Keyed rolls are as likely as the game's: its samples, its exact odds, its grammar probes.

Seeds are fixed, so a test that passes once always passes. Five standard errors are allowed, and
five maps for what is so rare that no bell curve holds.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache

import pytest

from randomizer.systems.colossus.board import HEX_COUNT, LABELS, NEIGHBOURS
from randomizer.systems.colossus.rolling.draws import keyed_draws
from randomizer.systems.colossus.rolling.roller import RolledMap, roll
from randomizer.systems.colossus.terrain_set import COLOSSUS
from tests.randomizer.systems.colossus.recorded import (
    ADVERSARIAL,
    NAMES,
    REFERENCE,
    map_text,
    needs_recordings,
    program_of,
    recording,
    start_text,
    state_name,
    text_of,
)

MAPS = 1500
SEED = 20
NOT_SAMPLED = ("Custom_Beach", "adv17_unknown_hexside")
"""The game samples what we know or refuse: its unknown Brush, an unknown hexside."""

SAMPLED = [name for name in NAMES + ADVERSARIAL if "_err_" not in name and name not in NOT_SAMPLED]


def rolled_maps(name: str) -> Iterator[RolledMap]:
    text = text_of(name)
    if name == "Custom_Beach":  # the game knows no Brush: its last AREA is left out
        text = "\n".join(line for line in text.splitlines() if "Brush" not in line) + "\n"
    return keyed_maps(text, MAPS)


def keyed_maps(text: str, maps: int) -> Iterator[RolledMap]:
    program = program_of(text)
    for draws in keyed_draws(program, SEED, range(maps)):
        yield roll(program, draws)


@cache
def counts_of(name: str) -> Counter[tuple[str, ...]]:
    """How many maps show what: hexes, hexsides, hazards in all, pairs of neighbours, start list."""
    counts: Counter[tuple[str, ...]] = Counter()
    for rolled in rolled_maps(name):
        states = [state_name(*hex_) for hex_ in zip(rolled.terrain, rolled.elevation, strict=True)]
        letters = [[COLOSSUS.hexside_letter(code) for code in row] for row in rolled.hexside]
        for label, state, row in zip(LABELS, states, letters, strict=True):
            counts["hex_state", label, state] += 1
            for side, letter in enumerate(row):
                if letter != " ":
                    counts["hexside", f"{label}:{side}", letter] += 1
        for kind, seen in (
            ("per_map_hazard_count", Counter(state.split("/")[0] for state in states)),
            ("per_map_hexside_count", Counter(x for row in letters for x in row if x != " ")),
        ):
            for what, many in seen.items():
                counts[kind, what, str(many)] += 1
        for number in range(HEX_COUNT):
            for side, other in enumerate(NEIGHBOURS[number]):
                if other >= 0:
                    key = f"{states[number]}>{states[other]}"
                    counts["pair_hexside", key, letters[number][side].replace(" ", "none")] += 1
        size = "null" if rolled.startlist is None else str(len(rolled.startlist))
        counts["startlist_size", size] += 1
        for label in rolled.startlist or ():
            counts["startlist_hex", label] += 1
        names = (name or "Randomized!" for name in (rolled.title, rolled.subtitle))
        counts["title_subtitle", " | ".join(names)] += 1
        counts["tower", str(bool(rolled.tower)).lower()] += 1
    return counts


def flat(table: Mapping[str, object], *path: str) -> Iterator[tuple[tuple[str, ...], float]]:
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from flat(value, *path, key)
        else:
            yield (*path, key), value


def assert_as_likely(
    found: Mapping[tuple[str, ...], int], expected: Mapping[tuple[str, ...], float], samples: float
) -> None:
    """``found`` in MAPS maps against the chances ``expected``, known from ``samples`` maps."""
    strays = []
    for key in found.keys() | expected.keys():
        p = expected.get(key, 0.0)
        # A start list may name a hex twice: then p is a mean, and spreads wider than a chance.
        spread = 2 * p if key[0] == "startlist_hex" else max(p, 1 / samples) * (1 - p)
        error = (spread * (1 / MAPS + 1 / samples)) ** 0.5
        if abs(found.get(key, 0) / MAPS - p) > 5 * error + 5 / MAPS:
            strays.append((key, found.get(key, 0) / MAPS, p))
    assert strays == []


@needs_recordings
@pytest.mark.parametrize("name", SAMPLED)
def test_samples_of_the_game_agree(name: str) -> None:
    recorded = recording("samples", name)["ok"]
    kinds = ("hex_state", "hexside", "per_map_hazard_count", "per_map_hexside_count", "tower")
    kinds += ("startlist_size", "startlist_hex", "title_subtitle")
    expected = {
        key: value / recorded["n"] for kind in kinds for key, value in flat(recorded[kind], kind)
    }
    found = counts_of(name)
    assert_as_likely(
        {key: value for key, value in found.items() if key[0] in kinds}, expected, recorded["n"]
    )


@needs_recordings
@pytest.mark.parametrize("name", SAMPLED)
def test_hexsides_agree_for_every_kind_of_neighbours(name: str) -> None:
    """The chance of a hexside given both hexes: many pairs a map, so a sharp look at the PAIRs."""
    recorded = recording("samples", name)["ok"]["pair_hexside"]
    found: dict[str, Counter[str]] = {}
    for key, many in counts_of(name).items():
        if key[0] == "pair_hexside":
            found.setdefault(key[1], Counter())[key[2]] = many
    for pair, letters in found.items():
        total = sum(letters.values())
        expected = recorded.get(pair, {})
        known = sum(expected.values())
        for letter in letters.keys() | expected.keys():
            if not known:
                continue
            p = expected.get(letter, 0) / known
            error = (p * (1 - p) * (1 / total + 1 / known)) ** 0.5
            assert abs(letters[letter] / total - p) <= 5 * error + 5 / total, (pair, letter)


@needs_recordings
@pytest.mark.parametrize("name", NAMES)
def test_exact_odds_agree(name: str) -> None:
    odds = recording("exact_odds", name)
    expected = dict(flat(odds["hex"], "hex_state")) | dict(flat(odds["hexside"], "hexside"))
    found = counts_of(name)
    kept = {key: value for key, value in found.items() if key[0] in ("hex_state", "hexside")}
    assert_as_likely(kept, expected, 1e12)
    # What is certain or impossible is so without any error.
    assert {key for key, p in expected.items() if p > 1 - 1e-9} <= {
        key for key, many in kept.items() if many == MAPS
    }
    assert kept.keys() <= {key for key, p in expected.items() if p > 0}


def probes() -> list[dict]:
    path = REFERENCE / "grammar_probes.json"
    if not path.exists():
        return []
    accepted = [
        probe
        for probe in json.loads(path.read_text("utf-8"))["probes"]
        if not any("error" in outcome for outcome in probe["outcomes"])
    ]
    return [probe for probe in accepted if "<null>" not in json.dumps(probe)]


@needs_recordings
@pytest.mark.parametrize("probe", probes(), ids=lambda probe: repr(probe["rnd"])[:60])
def test_every_script_that_the_game_accepts_has_the_same_outcomes(probe: dict) -> None:
    maps = 500
    outcomes = Counter(
        (map_text(m), start_text(m), m.title, m.subtitle, m.tower)
        for m in keyed_maps(probe["rnd"], maps)
    )
    if probe["truncated"]:
        assert len(outcomes) > 8
        return
    expected = {}
    for outcome in probe["outcomes"]:
        title, subtitle = outcome.get("title_subtitle", "Randomized!|Randomized!").split("|")
        start = outcome.get("startlist")
        key = (outcome["map"], None if start is None else " ".join(start), title, subtitle)
        expected[(*key, outcome.get("tower", False))] = outcome["percent"] / 100
    found = {
        (text, start, title or "Randomized!", subtitle or "Randomized!", bool(tower)): many / maps
        for (text, start, title, subtitle, tower), many in outcomes.items()
    }
    assert found.keys() == expected.keys()
    for key, p in expected.items():
        assert abs(found[key] - p) <= 5 * (p * (1 - p) * (1 / maps + 1 / 2000)) ** 0.5 + 0.001
