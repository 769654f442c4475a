"""Makes journals as a desk does, for tests of what is left of them."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from randomizer.model.edits.value_edits import set_values
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.storage.journal.journal import Journal
from randomizer.storage.journal.journal_rows import StepRecord
from randomizer.storage.records.block import Block
from randomizer.storage.records.encoding import encode_edit, encode_edit_for_journal, encode_map
from randomizer.systems.colossus.system import SYSTEM

ABOUT = {"name": "Hills", "path": "", "source": "null"}


class Work:
    """A map that is worked on, and what its journal is told."""

    def __init__(self, folder, **about):
        terrain = SYSTEM.plane("terrain").allocate(SYSTEM.new_grid())
        self.map = BattleMap.new(SYSTEM, layers=[Layer(1, "Ground", planes={"terrain": terrain})])
        self.first = encode_map(self.map)
        self.journal = Journal.begin(folder, {**ABOUT, **about}, self.first)
        self.edits = []
        self.position = 0

    def do(self, edit, *, once=False):
        """``once``: texts are stored once, apart from the step."""
        edit.apply(self.map)
        block = Block(encode_edit(edit), {})
        if once:
            block = encode_edit_for_journal(edit)
        keep = self.position
        self.edits[keep:] = [edit]
        self.position += 1
        step = StepRecord("Paint", 1, 1, "null", block.data, block.texts)
        encode_base = partial(encode_map, self.map)
        self.journal.write(keep, [step], self.position, encode_base=encode_base)

    def paint(self, cell, code):
        self.do(set_values(self.map, 1, "terrain", [cell], code))

    def undo(self):
        self.position -= 1
        self.edits[self.position].inverse().apply(self.map)
        self.journal.write(len(self.edits), [], self.position)

    def redo(self):
        self.edits[self.position].apply(self.map)
        self.position += 1
        self.journal.write(len(self.edits), [], self.position)

    def renew(self):
        self.journal.use_base(self.journal.write_base(encode_map(self.map), self.position))


def crash(journal):
    """End as a killed program does: nothing is put in order, the system takes the lock away."""
    journal._lock.close()  # the journal itself ends in good order only


def shown(journal, done=None):
    """The map with the first ``done`` steps; None: as the journal says it was."""
    if done is None:
        done = journal.position
    battlemap = journal.restore_map()
    for number in range(journal.count, done, -1):
        edit = journal.edit(number, battlemap, done=True)
        edit.inverse().apply(battlemap)
    return battlemap


def close_journals_in_the_end(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Close whatever journals a test leaves open. For a fixture."""
    journals: list[Journal] = []
    begin = Journal.__init__

    def remember(journal: Journal, folder: Path) -> None:
        begin(journal, folder)
        journals.append(journal)

    monkeypatch.setattr(Journal, "__init__", remember)  # those that nobody else holds, too
    yield
    for journal in journals:
        journal.close()
