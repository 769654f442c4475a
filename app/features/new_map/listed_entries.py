"""The entries that the New map dialog lists, and the one of them that it chooses.

An *entry* is a script of the catalogue; None stands for the empty map, which needs no script::

    entries = matching_entries(catalogue_entries, Search("wood", ""), begins_rolled=False)
    row = row_to_choose(entries, picked_key, "wood")
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from randomizer.catalog.catalog_entry import CatalogEntry

EntryKey = tuple[str, ...] | None
"""Tells entries apart, also after they were read again: ``CatalogEntry.key``, such as ("colossus",
"packaged", "Hills"), ``EMPTY_MAP`` or ``NO_ENTRY``. The settings store it (``NewMapChoices``)."""

EMPTY_MAP: EntryKey = None
"""The key of the empty map."""

NO_ENTRY: EntryKey = ()
"""Stands for no entry: nothing is chosen, or nothing was ever picked."""


EMPTY_MAP_ENTRY = None
"""Stands for the empty map in a list of entries."""


class Search(NamedTuple):
    """What the user searches for."""

    text: str
    """Words of the name or the texts of an entry, without blanks around them; "" for none."""

    keyword: str
    """A keyword that an entry must have; "" for none."""


def key_of(entry: CatalogEntry | None) -> EntryKey:
    """Return the key of an entry, or of the empty map."""
    if entry is None:
        return EMPTY_MAP
    return entry.key


def matching_entries(
    entries: Iterable[CatalogEntry], search: Search, *, begins_rolled: bool
) -> list[CatalogEntry | None]:
    """Return the entries that match a search, and the empty map unless something is searched for.

    Entries whose name has the words come first, then those of which only another text has them.
    The empty map is the last one if maps of this kind usually begin with a roll, else the first.
    """
    named_matches: list[CatalogEntry | None] = []
    further_matches: list[CatalogEntry | None] = []
    for entry in entries:
        if not entry.matches(search.text):
            continue
        if search.keyword and search.keyword not in entry.metadata.keywords:
            continue
        if entry.name_matches(search.text):
            named_matches.append(entry)
        else:
            further_matches.append(entry)
    matches = named_matches + further_matches
    if search.keyword or search.text:
        return matches
    if begins_rolled:
        return [*matches, EMPTY_MAP_ENTRY]
    return [EMPTY_MAP_ENTRY, *matches]


def row_to_choose(
    entries: list[CatalogEntry | None], picked_key: EntryKey, search_text: str
) -> int:
    """Return the row of the entry that the user has picked; 0 if it is not listed.

    While the user types a name it is 0, too, if other entries have the name and the picked one has
    not. Without entries there is no row 0.
    """
    keys = [key_of(entry) for entry in entries]
    if picked_key not in keys:
        return 0
    row = keys.index(picked_key)
    if not search_text:
        return row
    # Who types a name wants the entry with that name, which stands first. The picked entry gives
    # way to it, if only its description has the name.
    has_name = [entry is None or entry.name_matches(search_text) for entry in entries]
    if any(has_name) and not has_name[row]:
        return 0
    return row
