"""The search whose maps the gallery shows, and what it depends on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from app.rolling.rolled_maps import RolledMaps

if TYPE_CHECKING:
    from app.features.gallery.search import Ended
    from randomizer.roll_base import Base


class SearchInputs(NamedTuple):
    """All that a search depends on but the pins and how many maps it may try."""

    maps: RolledMaps
    """The script, its settings, and the base that its maps are rolled onto."""

    seed: int

    first: int
    """The number of the first map."""

    condition: str
    """The filter, "" for none."""


@dataclass
class ShownSearch:
    """The search whose maps are shown, or are looked for. Its life::

        made              nothing is found; the maps of the search before are still shown
        show_first_maps   they have been replaced by maps of this search
        end               it is over; ``ended`` says how

    At each time it can become outdated (``mark_outdated``).
    """

    inputs: SearchInputs
    """All that it depends on."""

    appends: bool
    """True if its maps are shown besides those of the search before."""

    awaits_first_maps: bool
    """True while it looks for maps that pass a filter and has found none.

    The maps of the search before are still shown then.
    """

    ended: Ended | None = None
    """Its end; None while it is under way."""

    is_outdated: bool = False
    """True since nothing can be rolled, or since rolling has failed.

    Its maps are still shown, but are searched for again as soon as something can be rolled.
    """

    is_filter_refused: bool = False
    """True if it has found that no map can pass the filter, as the locks or the script are.

    The maps of the search before are still shown then, too.
    """

    @property
    def base(self) -> Base:
        """The base that its maps are rolled onto."""
        return self.inputs.maps.base

    @property
    def has_maps_of_filter(self) -> bool:
        """True if the maps that are shown are those that its filter asks for."""
        return not self.awaits_first_maps and not self.is_filter_refused

    def mark_outdated(self) -> None:
        """Note that nothing can be rolled for it any more: it looks for no maps."""
        self.is_outdated = True
        self.awaits_first_maps = False
