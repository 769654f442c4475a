"""Each reader: all inputs that ever failed, and a fixed number of new ones (docs/adr/0027)."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from random import Random
from zlib import crc32

import pytest

from randomizer.catalog.catalog import FORMATS, SCRIPT_HOSTS
from randomizer.storage.records.edit_reading import READERS
from tests.fuzz.__main__ import Findings, Run, by_answers
from tests.fuzz.all_harnesses import HARNESSES
from tests.fuzz.harness import KEPT, Harness
from tests.fuzz.samples import sample_edits, sample_maps

DAILY_SHARE = 3
"""Of so many new inputs one is tried each day; ``--deep`` fuzzes each reader for some seconds."""


@pytest.mark.parametrize("name", HARNESSES)
def test_a_reader_takes_any_bytes(name: str, qapp: object) -> None:
    harness = HARNESSES[name]
    for data in (b"", b"\0", b"\xff\xfe", *harness.seeds()):
        harness.run(data)
    answers = _try(harness, harness.tries // DAILY_SHARE)
    assert len(answers) > 1 or name == "write-only", "every input is answered alike"


def _try(harness: Harness, tries: int) -> set[str]:
    """The answers to so many new inputs, the same ones each time."""
    draw = Random(crc32(harness.name.encode()))
    corpus = list(harness.seeds())
    answers = set()
    for _ in range(tries):
        data = draw.choice(corpus)
        for _ in range(draw.choice((1, 1, 2, 3))):
            data = harness.mutate(data, draw, corpus)
        try:
            answers.add(repr(harness.run(data)))
        except BaseException as fault:
            fault.add_note(f"{harness.name} failed for {data[:2000]!r}")
            raise
    return answers


KEPT_INPUTS = [
    (harness, file.name) for harness in HARNESSES.values() for file in harness.kept_files()
]


@pytest.mark.parametrize(
    ("harness", "file"), KEPT_INPUTS, ids=[f"{h.name}/{file}" for h, file in KEPT_INPUTS]
)
def test_what_failed_once_does_not_fail_again(harness: Harness, file: str, qapp: object) -> None:
    harness.run((KEPT / harness.name / file).read_bytes())


def test_every_format_and_script_host_has_a_harness() -> None:
    covered = {entry for harness in HARNESSES.values() for entry in harness.covers}
    assert covered == {*FORMATS, *SCRIPT_HOSTS}


def test_every_folder_of_kept_inputs_is_that_of_a_harness() -> None:
    assert {folder.name for folder in KEPT.iterdir()} <= set(HARNESSES)


def test_every_kind_of_edit_is_fuzzed() -> None:
    kinds: set[str] = set()
    for battlemap in sample_maps().values():
        kinds |= {type(edit).__name__ for edit in sample_edits(battlemap)}
    assert kinds == set(READERS)


def test_a_reader_with_a_fault_is_found() -> None:
    def read(data: bytes) -> object:
        if b"2147483647" in data:
            raise OverflowError("too large")
        return len(data) % 3

    sound = HARNESSES["filter"]
    broken = Harness("broken", read, sound.seeds, sound.mutate)
    with pytest.raises(OverflowError):
        _try(broken, 20_000)


def test_the_run_by_hand_keeps_one_input_for_each_place_that_fails(tmp_path: Path) -> None:
    def read(data: bytes) -> object:
        if b"(" in data:
            raise OverflowError(f"{len(data)} bytes")
        if data.endswith(b"\n"):
            raise KeyError("another place")
        return len(data)

    filters = HARNESSES["filter"]
    broken = Harness("broken", read, filters.seeds, filters.mutate)
    options = Namespace(inputs=3_000, seconds=600.0, cpu=60.0)
    run = Run(broken, Findings(tmp_path, "broken"), options)
    by_answers(run, Random(3))
    assert run.inputs == 3_000
    found = [file for file in (tmp_path / "broken").iterdir() if file.suffix == ".why"]
    kinds = [file.read_text("utf-8").splitlines()[-1].partition(":")[0] for file in found]
    assert sorted(kinds) == ["KeyError", "OverflowError"]
    for file in found:
        with pytest.raises((OverflowError, KeyError)):
            read(file.with_suffix("").read_bytes())
