"""The proof of learning: ``python -m tests.benchmarks.learning_proof [MAPS|unseen] [NAME ...]``.

``MAPS`` (200) maps rolled from each packaged script, and from the game's own where the corpus is,
are learned again; the learned script is judged on fresh maps of both: Kullback-Leibler divergence
of the marginals in bits a hex and a pair of neighbours (terrain and elevation of both), the largest
total variation of a terrain's count, and statements against those of the original. ``unseen``:
folders of real battlelands, each map described by the hex odds of a script learned from the others,
and by independent odds of every hex, both smoothed alike. NAME: only these scripts or folders. The
same figures each time.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from time import process_time
from typing import NamedTuple

import numpy as np

from randomizer.cli.files import read_map
from randomizer.cli.output import Console
from randomizer.systems.colossus.learning.boards import Boards, boards_of
from randomizer.systems.colossus.learning.fit import (
    Fit,
    compare,
    held_out_bits,
    hex_bits_unseen,
    marginals_of,
    rolled_states,
)
from randomizer.systems.colossus.learning.learner import LearningOptions, learn, program_of
from randomizer.systems.colossus.learning.result import LearnedScript
from randomizer.systems.colossus.rolling.batch_roller import roll_many
from randomizer.systems.colossus.rolling.compiler import compile_script
from randomizer.systems.colossus.rolling.program import Program
from randomizer.systems.colossus.rolling.roller import PLAIN_HEXES
from randomizer.systems.colossus.script.parser import parse

OWN = Path(__file__).parents[2] / "randomizer/systems/colossus/scripts"
CORPUS = Path(__file__).parents[3] / "shared/corpus/colossus"
FRESH = 40_000
"""The maps of both scripts by which the learned one is judged."""
FEWEST = 3
"""Maps of a terrain that are a folder."""


class Bounds(NamedTuple):
    """The most bits a hex and a pair, and the largest distance of a count."""

    hexes: float
    pairs: float
    counts: float


BOUNDS = {200: Bounds(0.02, 0.03, 0.10), 1000: Bounds(0.01, 0.02, 0.06)}


def rolled_boards(program: Program, count: int, seed: int) -> Boards:
    """Roll maps as boards to learn from."""
    rolls = roll_many(program, PLAIN_HEXES, seed, np.arange(count, dtype=np.uint64))
    assert rolls.hexside is not None
    start = np.zeros((count, 27), np.bool_) if rolls.start is None else rolls.start > 0
    return Boards(
        tuple(f"map {number}" for number in range(count)),
        np.ascontiguousarray(rolls.terrain),
        np.ascontiguousarray(rolls.elevation).astype(np.uint8),
        np.ascontiguousarray(rolls.hexside),
        np.full(count, bool(program.tower)),
        start,
    )


def learned_from(boards: Boards, name: str) -> LearnedScript:
    """Learn to the end."""
    *_, last = learn(boards, LearningOptions(name))
    return last.learned


def judge(true: Program, learned: Program) -> Fit:
    """Compare fresh maps of both scripts."""
    given = rolled_states(true, 991, FRESH)
    rolled = rolled_states(learned, 555, FRESH)
    codes = tuple(int(code) for code in np.unique(np.append(given, rolled)))
    return compare(marginals_of(given, codes), marginals_of(rolled, codes))


def statements_of(text: str) -> int:
    """Count AREA, LABEL and PAIR."""
    return len(re.findall(r"^(?:AREA|LABEL|PAIR)\b", text, re.MULTILINE))


def scripts() -> Iterator[tuple[str, str]]:
    """Yield name and text of each script: ours, then those of the game."""
    for path in sorted(OWN.glob("*.rnd")):
        yield path.stem, path.read_text()
    for path in sorted((CORPUS / "rnd").glob("*.rnd")):
        yield f"game-{path.stem}", path.read_text()


def prove_scripts(maps: int, names: list[str]) -> None:
    """Print a line for each script."""
    bounds = BOUNDS[maps]
    missed = 0
    for name, text in scripts():
        if names and name not in names:
            continue
        true = compile_script(parse(text).script)
        begin = process_time()
        version = learned_from(rolled_boards(true, maps, 1), name).version
        seconds = process_time() - begin
        fit = judge(true, program_of(version.text))
        of = statements_of(text)
        figures = Bounds(fit.hex_bits.mean(), fit.pair_bits.mean(), fit.count_distance.max())
        good = all(a <= b for a, b in zip(figures, bounds, strict=True))
        good &= version.statements <= 2 * of
        missed += not good
        print(
            f"{name:18} {'good  ' if good else 'MISSED'} hex {figures.hexes:.4f} pair "
            f"{figures.pairs:.4f} count {figures.counts:.3f} statements {version.statements} of "
            f"{of}, {seconds:.0f} s",
            flush=True,
        )
    print(f"{missed} missed")


def folders() -> dict[str, list[Path]]:
    """Return the corpus' battlelands by terrain, where there are enough."""
    groups = defaultdict(list)
    for path in sorted((CORPUS / "xml").glob("*.xml")):
        groups[path.stem.rpartition("__")[2].removesuffix("Alt")].append(path)
    return {name: paths for name, paths in groups.items() if len(paths) >= FEWEST}


def prove_unseen(names: list[str]) -> None:
    """Print a line for each folder."""
    sums = np.zeros(2)
    better = 0
    count = 0
    for name, paths in folders().items():
        if names and name not in names:
            continue
        boards, _ = boards_of((path.stem, read_map(str(path), Console())[0]) for path in paths)
        states = (boards.terrain * 4 + boards.elevation).T
        bits = np.zeros(2)
        for left_out in range(len(boards)):
            others = [number for number in range(len(boards)) if number != left_out]
            text = learned_from(boards.subset(others), name).version.text
            map_ = states[:, left_out]
            known = states[:, others]
            bits[0] += held_out_bits(program_of(text), map_, known, 0, pairs=False)
            bits[1] += hex_bits_unseen(None, map_, known)
        print(f"{name:10} {len(boards)} maps: {bits[0]:.0f} bits, independent {bits[1]:.0f}")
        sums = sums + bits
        better = better + (bits[0] < bits[1])
        count = count + 1
    print(f"together {sums[0]:.0f}, independent {sums[1]:.0f}; better on {better} of {count}")


if __name__ == "__main__":
    words = sys.argv[1:]
    if words[:1] == ["unseen"]:
        prove_unseen(words[1:])
    else:
        number = int(words.pop(0)) if words and words[0].isdigit() else 200
        prove_scripts(number, words)
