"""Edits and maps as bytes: for the journal, its bases, and undo steps that memory has no room for.

The bytes are a ``Block`` (block.py) with the record of the edit or of the map::

    block = encode_edit_for_journal(edit)      # when the edit is applied
    edit = decode_edit(block.data, battlemap, texts=block.texts)
"""

from __future__ import annotations

from collections.abc import Mapping
from weakref import WeakKeyDictionary

from randomizer.model.edits.edit import Compound, Edit, LockEdit, PlaneEdit
from randomizer.model.edits.edit_gate import check_edit_values
from randomizer.model.gate.gate import check_map
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import NO_TEXTS
from randomizer.storage.records.block import Block, decode_block, encode_block
from randomizer.storage.records.edit_reading import read_edit
from randomizer.storage.records.edit_writing import edit_record
from randomizer.storage.records.parts import PartReader
from randomizer.storage.records.records import map_record, read_map


def encode_edit(edit: Edit) -> bytes:
    """Return an edit of any kind as bytes, with its texts; equal edits give equal bytes.

    Encode an edit when it is applied, not later: it holds the very layers that it adds and removes,
    and the edits that follow change them.
    """
    return encode_block(lambda parts: edit_record(edit, parts)).data


def encode_edit_for_journal(edit: Edit) -> Block:
    """Return an edit as a block without its long texts, which the journal stores once each.

    It may have been encoded by ``encode_ahead``. If not, it is encoded now, see ``encode_edit``.
    """
    block: Block | None = None
    if _changes_values_only(edit):  # others are never encoded ahead, and not all can be looked up
        block = _BLOCKS_AHEAD.pop(edit, None)
    if block is None:
        block = _block_without_texts(edit)
    return block


def _block_without_texts(edit: Edit) -> Block:
    return encode_block(lambda parts: edit_record(edit, parts), leave_texts_out=True)


# --- encoding on another thread -----------------------------------------------------------------

_BLOCKS_AHEAD: WeakKeyDictionary[Edit, Block] = WeakKeyDictionary()
"""The blocks of edits that were encoded by ``encode_ahead`` and are not yet applied.

``encode_edit_for_journal`` removes a block when the edit is applied; the block of an edit that is
dropped goes with the edit. It is a variable of the module, and no value that is handed on, since a
job and the journal have only the edit in common: between them lie the document, its undo history
and a signal, which know nothing of bytes.

The key is the edit object itself, not an equal one: edits are compared by identity, and do not
change once they are made. So a lookup that misses, or an edit that was encoded for nothing, costs
time only. Only one thread at a time knows an edit: first its job, then the window.
"""


def encode_ahead(edit: Edit) -> None:
    """Encode an edit of values on the thread of the job that makes it.

    When the edit is applied, ``encode_edit_for_journal`` then only looks its block up, and does not
    hold the window's thread: encoding a stamp of all cells of a large map takes long enough to be
    seen. An edit that holds layers is not encoded: others may change them until it is applied.
    """
    if _changes_values_only(edit):
        _BLOCKS_AHEAD[edit] = _block_without_texts(edit)


def _changes_values_only(edit: Edit) -> bool:
    """Return whether an edit changes values of cells, of which it can have very many, alone."""
    if isinstance(edit, Compound):
        return all(_changes_values_only(part) for part in edit.edits)
    return isinstance(edit, PlaneEdit | LockEdit)


# --- decoding, and maps -------------------------------------------------------------------------


def decode_edit(
    data: bytes,
    battlemap: BattleMap,
    *,
    done: bool = False,
    texts: Mapping[str, str] = NO_TEXTS,
) -> Edit:
    """Return the edit in ``data``, for a map in the state before it (``done``: after it).

    ``texts`` are those that were left out of the block, by digest.

    Of the layers that the edit adds or removes, one that is in the map now is the layer object of
    the map, not a copy; a layer that is not in the map now is a new object. So the steps of a map
    are decoded from the latest back::

        step 3 adds the layer L         it may be bytes: decoded, it finds L in the map
        step 7 removes the layer L      it is kept as an edit, which holds the object L

    The other way round, undoing step 7 would bring back a new object, while step 3 went on to hold
    L, which is in no map any more.

    Raises ProblemError for damaged data, and for an edit that does not fit the map.
    """

    def read(record: object, parts: PartReader) -> Edit:
        return read_edit(record, battlemap, parts, done=done)

    edit = decode_block(data, "edit", read, texts)
    # Undoing the edit must not put wrong values into the map either.
    check_edit_values(battlemap, edit)
    check_edit_values(battlemap, edit.inverse())
    return edit


def encode_map(battlemap: BattleMap) -> bytes:
    """Return a whole map as bytes; equal maps give equal bytes.

    Raises ProblemError for a map that would not be read back.
    """
    check_map(battlemap)
    return encode_block(lambda parts: map_record(battlemap, parts)).data


def decode_map(data: bytes) -> BattleMap:
    """Return the map that ``encode_map`` encoded. Raises ProblemError for damaged data."""
    return decode_block(data, "map", read_map)
