"""The kinds of things that the palette lists: by category and by the words of the filter.

A *category* is ``OF_MAP``, ``OF_GAME``, or the name of a group or a family of the game's kinds,
such as "Trees" or "Athenians"::

    list_kinds(map_kinds, game_kinds, "Trees", ["oak"], None).kinds     # (oak, small_oak)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from randomizer.model.things.thing_kind import ThingKind

# Names of groups and families do not begin with a blank, so that these two are none of them.

OF_MAP = " map"
"""The category of the map: its own kinds and those that any such map can have."""

OF_GAME = " game"
"""The category of all kinds, those of the installed game and those of the map."""


class ListedKinds(NamedTuple):
    """The kinds that are listed."""

    kinds: tuple[ThingKind, ...]
    """They stand in the groups of the game, in each of them those of the map first."""

    is_elsewhere: bool
    """True if no kind of the category has the words: then these are of other categories."""


def list_kinds(
    map_kinds: Sequence[ThingKind],
    further_kinds: Sequence[ThingKind],
    category: str,
    words: Sequence[str],
    typed_kind: ThingKind | None,
) -> ListedKinds:
    """Return the kinds of a category that have all words, which are in small letters.

    ``map_kinds`` are those of the map, ``further_kinds`` those of the installed game. Words find
    the kinds of the whole game, even in the category of the map. ``typed_kind`` is the kind whose
    exact name was typed, None if that is no kind: it is listed first, whether the game has it or
    not.
    """
    kinds = list(map_kinds)
    if category != OF_MAP or words:
        names_on_map = {kind.name for kind in map_kinds}
        kinds += [kind for kind in further_kinds if kind.name not in names_on_map]
    listed = [kind for kind in kinds if category in (OF_MAP, OF_GAME, kind.group, kind.family)]
    is_elsewhere = False
    if words:
        listed = [kind for kind in listed if _has_words(kind, words)]
        if not listed:
            listed = [kind for kind in kinds if _has_words(kind, words)]
            is_elsewhere = bool(listed)
        if typed_kind is not None:
            listed = [typed_kind, *(kind for kind in listed if kind.name != typed_kind.name)]

    # The order of the groups is that of the game, whatever the map has; but the group of the kind
    # whose name was typed comes first. The sort is stable.
    group_order: dict[str, int] = {}
    if words and typed_kind is not None:
        group_order[typed_kind.group] = 0
    for kind in (*further_kinds, *map_kinds):
        group_order.setdefault(kind.group, len(group_order))
    listed.sort(key=lambda kind: group_order[kind.group])
    return ListedKinds(tuple(listed), is_elsewhere)


def _has_words(kind: ThingKind, words: Sequence[str]) -> bool:
    """Return whether the texts of a kind contain all these words, which are in small letters."""
    text = " ".join((kind.title, kind.group, kind.name, kind.family, kind.keywords)).casefold()
    return all(word in text for word in words)
