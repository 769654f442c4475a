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
    game_kinds: Sequence[ThingKind],
    category: str,
    words: Sequence[str],
    typed_kind: ThingKind | None,
) -> ListedKinds:
    """Return the kinds of a category that have all words, which are casefolded.

    ``map_kinds`` are those of the map, ``game_kinds`` those of the installed game. ``typed_kind``
    is the kind whose exact name was typed, None if that is no kind: it is listed first, whether the
    game has it or not.
    """
    candidates = list(map_kinds)
    # Words find the kinds of the whole game, even in the category of the map.
    if category != OF_MAP or words:
        names_on_map = {kind.name for kind in map_kinds}
        candidates += [kind for kind in game_kinds if kind.name not in names_on_map]

    listed = [kind for kind in candidates if _is_in_category(kind, category)]
    is_elsewhere = False
    if words:
        listed = [kind for kind in listed if _has_words(kind, words)]
        if not listed:
            listed = [kind for kind in candidates if _has_words(kind, words)]
            is_elsewhere = bool(listed)
    else:
        typed_kind = None
    if typed_kind is not None:
        listed = [typed_kind, *(kind for kind in listed if kind.name != typed_kind.name)]
    _sort_by_group(listed, typed_kind, (*game_kinds, *map_kinds))
    return ListedKinds(tuple(listed), is_elsewhere)


def _is_in_category(kind: ThingKind, category: str) -> bool:
    """Return whether a kind is of a category.

    All are that are asked about for ``OF_MAP`` and ``OF_GAME``: see the candidates.
    """
    return category in (OF_MAP, OF_GAME, kind.group, kind.family)


def _sort_by_group(
    listed: list[ThingKind], typed_kind: ThingKind | None, known_kinds: Sequence[ThingKind]
) -> None:
    """Sort kinds by their groups, in the order in which these come in ``known_kinds``.

    The group of the kind whose name was typed comes first, so that this kind does. Within a group
    the order stays.
    """
    group_order: dict[str, int] = {}
    if typed_kind is not None:
        group_order[typed_kind.group] = 0
    for kind in known_kinds:
        group_order.setdefault(kind.group, len(group_order))
    listed.sort(key=lambda kind: group_order[kind.group])


def _has_words(kind: ThingKind, words: Sequence[str]) -> bool:
    """Return whether the texts of a kind contain all these words, which are casefolded."""
    text = " ".join((kind.title, kind.group, kind.name, kind.family, kind.keywords)).casefold()
    return all(word in text for word in words)
