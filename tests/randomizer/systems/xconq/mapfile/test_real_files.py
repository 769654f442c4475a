"""Real mapfiles are read as the real program reads them, and written as it writes them."""

from __future__ import annotations

import re

import pytest

from randomizer.formats.checked import write_checked
from randomizer.model.problems import has_errors
from randomizer.systems.xconq.library import LIBRARY
from randomizer.systems.xconq.mapfile.map_section import characters_of
from randomizer.systems.xconq.mapfile.mapfile_format import XCONQ
from randomizer.systems.xconq.mapfile.reader import read_with
from randomizer.systems.xconq.mapfile.writer import write_mapfile
from randomizer.systems.xconq.records import sides_of
from tests.randomizer.systems.xconq.mapfile.real_files import (
    CORPUS,
    MAPS,
    REFERENCE,
    again,
    needs_real_files,
    read_real,
)

pytestmark = needs_real_files

RECORDED = tuple(
    sorted(
        path.name
        for path in (REFERENCE / "maps").glob("*.rows")
        if b"size=" in path.read_bytes()  # one is empty
    )
)
SAVES = tuple(sorted(path.name for path in (REFERENCE / "saves").glob("*.scn")))

NEEDS_ANOTHER_PERIOD = "fred.map"
"""It names no period and has terrain and units that the standard one does not know."""


@pytest.fixture(autouse=True)
def library():
    LIBRARY.use_folder_of(lambda: CORPUS)
    yield
    LIBRARY.use_folder_of(None)


@pytest.mark.parametrize("name", MAPS)
def test_a_real_file_is_read_and_written_back(name, tmp_path):
    result = read_real(name)
    assert result.battlemap is not None
    assert has_errors(result.problems) == (name == NEEDS_ANOTHER_PERIOD)
    data = (CORPUS / name).read_bytes()
    assert write_checked(XCONQ, result.battlemap) == data
    for each in CORPUS.glob("*.per"):
        (tmp_path / each.name).write_bytes(each.read_bytes())
    for each in CORPUS.glob("*.map"):
        (tmp_path / each.name).write_bytes(each.read_bytes())
    back = again(result.battlemap, tmp_path / name)
    assert content(back) == content(result.battlemap)


def content(battlemap):
    records = {name: record for name, record in battlemap.records.items() if name != "header"}
    planes = [
        (name, plane.tobytes())
        for layer in battlemap.layers
        for name, plane in layer.planes.items()
    ]
    return battlemap.terrain_set, planes, tuple(battlemap.visible_things()), records


@pytest.mark.parametrize("name", RECORDED)
def test_rows_are_those_of_the_real_program(name):
    result = read_real(name.removesuffix(".rows"))
    assert result.battlemap is not None
    lines = (REFERENCE / "maps" / name).read_text("latin-1").split("\n")
    summary = next(line for line in lines if "size=" in line)
    width, height = map(int, re.search(r"size=(\d+)x(\d+)", summary).groups())
    rows = [line for line in lines if len(line) == width][-height:]
    shown = characters_of(result.battlemap)[::-1]
    assert ["".join(map(chr, row)) for row in shown.tolist()] == rows
    facts = dict(re.findall(r"(\w+)=(\S+)", summary))
    assert len(result.battlemap.layers[0].things) == int(facts["numunits"])
    assert len(sides_of(result.battlemap).sides) == int(facts["numsides"])


@pytest.mark.parametrize("name", SAVES)
def test_a_save_of_the_real_program_is_written_bit_for_bit(name):
    data = (REFERENCE / "saves" / name).read_bytes()
    result = read_with(data, name, library=CORPUS)
    assert result.battlemap is not None
    assert not result.problems
    assert write_mapfile(result.battlemap).data == data
