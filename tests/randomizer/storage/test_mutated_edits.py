"""A damaged step of a journal is refused with one problem, or leaves a map that can be saved."""

from __future__ import annotations

import json
import random
import struct
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from randomizer.model.edits.edit import Compound
from randomizer.model.gate.gate import check_map
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import ProblemError
from randomizer.storage.records.block import MAGIC
from randomizer.storage.records.encoding import (
    decode_edit,
    decode_map,
    encode_edit,
    encode_map,
)
from tests.mutation import exchanged
from tests.randomizer.map_strategies import battlemaps, contents, edits

pytestmark = pytest.mark.usefixtures("toys_are_known")


def damaged(block: bytes, draw: random.Random) -> bytes:
    """A block with another value in its record, or another byte in its arrays."""
    content = bytearray(zlib.decompress(block[8:]))
    (length,) = struct.unpack("<I", content[:4])
    text = bytes(content[4 : 4 + length])
    arrays = content[4 + length :]
    if arrays and draw.random() < 0.4:
        arrays[draw.randrange(len(arrays))] = draw.randrange(256)
    else:
        record = json.loads(text)
        exchanged(record, draw)
        text = json.dumps(record).encode()
    packed = zlib.compress(struct.pack("<I", len(text)) + text + bytes(arrays))
    return MAGIC + struct.pack("<I", zlib.crc32(packed)) + packed


@settings(max_examples=40)
@given(battlemaps(), st.data(), st.integers(0, 2**32))
def test_a_damaged_step_is_refused_or_can_be_done_and_undone(
    battlemap: BattleMap, data: st.DataObject, seed: int
) -> None:
    draw = random.Random(seed)
    edit = data.draw(edits(battlemap))
    if edit is None:
        return
    block = encode_edit(edit)
    for _ in range(10):
        before = contents(battlemap)
        found = None
        try:
            found = decode_edit(damaged(block, draw), battlemap)
            found.apply(battlemap)
        except (ProblemError, KeyError, IndexError, ValueError):  # what a journal tells
            # Parts of a compound that were done are undone to what the step says was before.
            assert isinstance(found, Compound) or contents(battlemap) == before
            check_map_or_empty(battlemap)
            continue
        check_map_or_empty(battlemap)
        found.inverse().apply(battlemap)
        # What the step says was there before may be damaged, too: it is there from now on.
        before = contents(battlemap)
        found.apply(battlemap)
        found.inverse().apply(battlemap)
        assert contents(battlemap) == before


def check_map_or_empty(battlemap: BattleMap) -> None:
    """Every value is one that maps have; a damaged step may leave no layer, or the wrong ids."""
    try:
        check_map(battlemap)
    except ProblemError as problem:
        words = problem.problems[0].message
        assert any(each in words for each in ("no layers", "the id", "id of the next"))


@settings(max_examples=40)
@given(battlemaps(), st.integers(0, 2**32))
def test_a_damaged_base_is_refused_or_read_whole(battlemap: BattleMap, seed: int) -> None:
    draw = random.Random(seed)
    block = encode_map(battlemap)
    for _ in range(5):
        try:
            found = decode_map(damaged(block, draw))
        except ProblemError:
            continue
        check_map(found)
        assert encode_map(found)
