"""Scripts learned again from maps that they rolled, and from folders of real battlelands.

The learned script is judged on fresh maps of both: Kullback-Leibler divergence of the marginals in
bits a hex and a pair of neighbours (terrain and elevation of both), the largest total variation of
a terrain's count, and statements against those of the original. The same figures each time.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
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
    marginals_of,
    rolled_states,
)
from randomizer.systems.colossus.learning.held_out import held_out_bits, hex_bits_without_script
from randomizer.systems.colossus.learning.learner import LearningOptions, learn
from randomizer.systems.colossus.learning.result import LearnedScript
from randomizer.systems.colossus.learning.script_learner import program_of
from randomizer.systems.colossus.rolling.batch_roller import roll_many
from randomizer.systems.colossus.rolling.compiler import compile_script
from randomizer.systems.colossus.rolling.program import ELEVATIONS, Program
from randomizer.systems.colossus.rolling.roller import PLAIN_HEXES
from randomizer.systems.colossus.script.parser import parse
from tests.benchmarks.benchmark import COLOSSUS_CORPUS, Row, benchmark
from tests.benchmarks.colossus_scripts import PACKAGED_SCRIPTS

FRESH_MAPS = 40_000
"""Maps of both scripts by which the learned one is judged."""

MIN_MAPS = 3
"""Maps of a terrain that are a folder."""

SLOWEST_SCRIPT = "Mountains"


class Bounds(NamedTuple):
    """The most bits a hex and a pair, and the largest distance of a count."""

    hexes: float
    pairs: float
    counts: float


BOUNDS = Bounds(0.01, 0.02, 0.06)
"""Of scripts that are learned from 1,000 maps."""


@benchmark("learning", full=200, tiny=5)
def measure_learning(maps: int) -> Iterator[Row]:
    text = (PACKAGED_SCRIPTS / f"{SLOWEST_SCRIPT}.rnd").read_text("utf-8")
    _version, learning_s = learn_again(text, SLOWEST_SCRIPT, maps)
    yield Row("from maps of a script", learning_s, "s")
    folder = max(battleland_folders().values(), key=len, default=[])
    if folder:
        boards = read_boards(folder)
    else:  # where the corpus is missing, maps of a script stand in for a folder
        boards = rolled_boards(compile_script(parse(text).script), 12, 1)
    if maps < len(boards):
        boards = boards.subset(list(range(maps)))
    start_s = process_time()
    learned_from(boards, "folder")
    yield Row("from a folder", process_time() - start_s, "s")


@benchmark("learning-scripts", full=(1000, 100, FRESH_MAPS), tiny=(5, 1, 100), only_by_name=True)
def measure_learned_scripts(size: tuple[int, int, int]) -> Iterator[Row]:
    maps, max_scripts, fresh_maps = size
    texts = dict(list(script_texts())[:max_scripts])
    within_bounds = 0
    longest_s = 0.0
    for name, text in texts.items():
        learned, learning_s = learn_again(text, name, maps)
        longest_s = max(longest_s, learning_s)
        true_program = compile_script(parse(text).script)
        fit = judge(true_program, program_of(learned.version.text), fresh_maps)
        bits = Bounds(fit.hex_bits.mean(), fit.pair_bits.mean(), fit.count_distance.max())
        yield Row(f"{name}, bits a hex", bits.hexes, "bits")
        yield Row(f"{name}, bits a pair", bits.pairs, "bits")
        yield Row(f"{name}, distance of counts", bits.counts, "")
        statements = learned.version.statements
        original_statements = statements_of(text)
        ratio = statements / original_statements
        yield Row(f"{name}, statements (x the original)", statements, "", ratio)
        is_close = all(value <= bound for value, bound in zip(bits, BOUNDS, strict=True))
        if is_close and statements <= 2 * original_statements:
            within_bounds += 1
    yield Row("share of scripts within bounds", within_bounds / len(texts), "")
    yield Row("longest time of a script", longest_s, "s")


@benchmark("learning-unseen", full=100, tiny=0, only_by_name=True)
def measure_unseen_maps(max_folders: int) -> Iterator[Row]:
    """Describe each map of a folder by a script learned from the others, in bits.

    The plain description beside it: independent odds of every hex, smoothed alike.
    """
    all_bits = 0.0
    all_plain_bits = 0.0
    for name, paths in list(battleland_folders().items())[:max_folders]:
        boards = read_boards(paths)
        states = (boards.terrain * ELEVATIONS + boards.elevation).T
        bits = 0.0
        plain_bits = 0.0
        for left_out in range(len(boards)):
            others = [number for number in range(len(boards)) if number != left_out]
            program = program_of(learned_from(boards.subset(others), name).version.text)
            unseen_map = states[:, left_out]
            bits += held_out_bits(program, unseen_map, states[:, others], 0, with_pairs=False)
            plain_bits += hex_bits_without_script(unseen_map, states[:, others])
        yield Row(f"{name} (x independent odds)", bits, "bits", bits / plain_bits)
        all_bits += bits
        all_plain_bits += plain_bits
    ratio = all_bits / all_plain_bits if all_plain_bits else None
    yield Row("all folders (x independent odds)", all_bits, "bits", ratio)


def learn_again(text: str, name: str, maps: int) -> tuple[LearnedScript, float]:
    """Return what is learned from so many maps of a script, and the CPU time that it took."""
    boards = rolled_boards(compile_script(parse(text).script), maps, 1)
    start_s = process_time()
    learned = learned_from(boards, name)
    return learned, process_time() - start_s


def rolled_boards(program: Program, count: int, seed: int) -> Boards:
    """Roll maps as boards to learn from."""
    rolls = roll_many(program, PLAIN_HEXES, seed, np.arange(count, dtype=np.uint64))
    assert rolls.hexside is not None
    if rolls.start is None:
        start = np.zeros((count, 27), np.bool_)
    else:
        start = rolls.start > 0
    return Boards(
        tuple(f"map {number}" for number in range(count)),
        np.ascontiguousarray(rolls.terrain),
        np.ascontiguousarray(rolls.elevation).astype(np.uint8),
        np.ascontiguousarray(rolls.hexside),
        np.full(count, bool(program.tower)),
        start,
    )


def learned_from(boards: Boards, name: str, seconds: float | None = None) -> LearnedScript:
    """Learn to the end, or until so many CPU seconds are over (None: as many as a user gets)."""
    options = LearningOptions(name)
    if seconds is not None:
        options = replace(options, seconds=seconds)
    *_, last = learn(boards, options)
    return last.learned


def judge(true_program: Program, learned_program: Program, maps: int = FRESH_MAPS) -> Fit:
    """Compare fresh maps of both scripts."""
    true_states = rolled_states(true_program, 991, maps)
    learned_states = rolled_states(learned_program, 555, maps)
    codes = tuple(int(code) for code in np.unique(np.append(true_states, learned_states)))
    return compare(marginals_of(true_states, codes), marginals_of(learned_states, codes))


def statements_of(text: str) -> int:
    """Count AREA, LABEL and PAIR."""
    return len(re.findall(r"^(?:AREA|LABEL|PAIR)\b", text, re.MULTILINE))


def script_texts() -> Iterator[tuple[str, str]]:
    """Yield name and text of each script: ours, then those of the game where they are."""
    for path in sorted(PACKAGED_SCRIPTS.glob("*.rnd")):
        yield path.stem, path.read_text("utf-8")
    for path in sorted((COLOSSUS_CORPUS / "rnd").glob("*.rnd")):
        yield f"game-{path.stem}", path.read_text("utf-8")


def battleland_folders() -> dict[str, list[Path]]:
    """Return the corpus' battlelands by terrain, where there are enough; {} without the corpus."""
    folders = defaultdict(list)
    for path in sorted((COLOSSUS_CORPUS / "xml").glob("*.xml")):
        folders[path.stem.rpartition("__")[2].removesuffix("Alt")].append(path)
    return {name: paths for name, paths in folders.items() if len(paths) >= MIN_MAPS}


def read_boards(paths: list[Path]) -> Boards:
    """Read battlelands as boards to learn from."""
    boards, _problems = boards_of((path.stem, read_map(str(path), Console())[0]) for path in paths)
    return boards
