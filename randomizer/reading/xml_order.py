"""The order in which the children of an XML element are written again.

The children are in *groups*, such as all layers of a map. Within a group their order is given;
children of different groups alternate as they did in the file. A *slot* is a position in the file
at which a child of a group stood. Here a file has the layers A and B around the tileset T, and the
map now has the layers C, A, B and D::

    slots in the file     layer    tileset    layer
                            A         T         B
    groups now            layer: C A B D      tileset: T
    the new order           C         T       A B D

Each slot takes the next child of its group, and the last slot of a group all that are left.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

_Child = TypeVar("_Child")


def arrange_children(
    groups: Mapping[str, Sequence[_Child]], slots: Sequence[str], rank: Callable[[str], int]
) -> list[_Child]:
    """Return the children of all groups in the order in which they are written.

    ``groups`` has the children by the key of their group, ``slots`` the keys of the slots in the
    order of the file; a group has at least as many children as slots. One without a slot stands
    before the first slot of a higher rank, or at the end; several such groups are in the order of
    their ranks, then of ``groups``.
    """
    slots_left = Counter(slots)
    ranked_keys = sorted(groups, key=rank)
    new_keys = deque(key for key in ranked_keys if key not in slots_left)
    waiting = {key: deque(groups[key]) for key in ranked_keys}

    children: list[_Child] = []
    for key in slots:
        while new_keys and rank(new_keys[0]) < rank(key):
            children += groups[new_keys.popleft()]
        slots_left[key] -= 1
        is_last_slot = slots_left[key] == 0
        if is_last_slot:
            children += waiting[key]
        else:
            children.append(waiting[key].popleft())
    for key in new_keys:
        children += groups[key]
    return children
