"""What a harness is, and what must hold of problems and of maps that were read."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from randomizer.model.gate.gate import check_map
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problem_texts import format_problem
from randomizer.model.problems import (
    LONGEST_MESSAGE,
    Problem,
    apply_fix,
    has_errors,
    split_lines,
)
from randomizer.storage.records.encoding import decode_map, encode_map
from tests.fuzz.mutators import Mutator, mutate_bytes

KEPT = Path(__file__).resolve().parents[1] / "data" / "fuzz"
"""A folder for each harness: small seeds, and every input that ever failed."""


@dataclass(frozen=True)
class Harness:
    """One reader. ``run`` raises for any input that shows a fault of the program.

    What ``run`` returns says how the reader answered: an input with a new answer is kept as a seed
    where no coverage is measured. ``covers`` are entries of the catalogue, ``tries`` is the number
    of new inputs in the tests. ``qt``: it needs a QApplication.
    """

    name: str
    run: Callable[[bytes], object]
    seeds: Callable[[], Iterable[bytes]]
    mutate: Mutator = mutate_bytes
    covers: tuple[str, ...] = ()
    tries: int = 300
    qt: bool = False

    def kept(self) -> list[bytes]:
        """The inputs of ``tests/data/fuzz``, in the order of their names."""
        return [file.read_bytes() for file in self.kept_files()]

    def kept_files(self) -> list[Path]:
        """The files of ``kept``."""
        return sorted((KEPT / self.name).glob("*"))


def expect(holds: object, words: str) -> None:
    """Raise an AssertionError with ``words``, also where Python leaves out assertions."""
    if not holds:
        raise AssertionError(words)


def check_problems(problems: Sequence[Problem], text: str | None = None) -> tuple[str, ...]:
    """Check that problems have messages, positions in ``text``, and fixes that can be applied.

    Returns the codes with the messages, but for names and numbers, each once.
    """
    lengths = None
    if text is not None:
        lengths = [len(line) for line in split_lines(text)]
    for problem in problems:
        expect(problem.message.strip() and problem.code, f"a problem says nothing: {problem}")
        expect(
            len(problem.message) <= LONGEST_MESSAGE,
            f"a message without end: {problem.message[:200]}",
        )
        format_problem(problem, text)
        _check_position(problem, lengths)
        if text is not None and problem.path is None:
            for fix in problem.fixes:
                apply_fix(text, fix)
    return tuple(sorted({_kind_of(problem) for problem in problems}))


_VALUES = re.compile(r"“[^”]*”|\"[^\"]*\"|'[^']*'|[0-9.]+")
"""The names and numbers in a message, which differ from input to input."""


def _kind_of(problem: Problem) -> str:
    """Return the code of a problem and the beginning of its message without names and numbers."""
    return f"{problem.code}: {_VALUES.sub('', problem.message[:100])[:30]}"


def _check_position(problem: Problem, lengths: list[int] | None) -> None:
    """Check that a problem begins and ends in a text, whose lines have these ``lengths``."""
    start = (problem.line, problem.column)
    end = (problem.end_line, problem.end_column)
    for line, column in (start, end):
        expect(line is None or line >= 1, f"there is no such line: {problem}")
        expect(column is None or column >= 1, f"there is no such column: {problem}")
        expect(line is not None or column is None, f"a column without a line: {problem}")
        if line is not None and lengths is not None and problem.path is None:
            expect(line <= len(lengths), f"the text has {len(lengths)} lines: {problem}")
            last = lengths[line - 1] + 2  # after the last character, or after the line's end
            expect((column or 1) <= last, f"the line has {last - 2} characters: {problem}")
    if None not in (*start, *end):
        expect(start <= end, f"it ends before it starts: {problem}")


def check_read_map(battlemap: BattleMap) -> None:
    """Check that a map that was read passes the gate, and that autosave reads what it wrote."""
    check_map(battlemap)
    block = encode_map(battlemap)
    recovered = decode_map(block)
    expect(encode_map(recovered) == block, "autosave reads another map than it kept")


def refused(problems: Sequence[Problem], text: str | None = None) -> tuple[str, ...]:
    """Check the problems of a reader that gave no value, and return ``check_problems`` of them.

    One of them must be an error.
    """
    expect(has_errors(problems), f"nothing was read, and no error says why: {problems}")
    return check_problems(problems, text)


def chance(data: bytes, among: int) -> int:
    """Return a number below ``among``, the same for the same data."""
    return zlib.crc32(data) % among
