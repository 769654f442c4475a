"""The search whose maps the gallery shows, and what it depends on."""

from __future__ import annotations

from enum import Enum, auto
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


class Validity(Enum):
    """Whether the maps of a search can still be asked for."""

    VALID = auto()
    """They can: nothing has been found against it."""

    OUTDATED = auto()
    """Nothing can be rolled since, or rolling has failed.

    Its maps are still shown, but are searched for again as soon as something can be rolled."""

    FILTER_REFUSED = auto()
    """As ``OUTDATED``: the search has found that no map can pass its filter."""


class ShownSearch:
    """The search whose maps are shown, or are looked for. Its life::

        made         nothing is found; the maps of the search before are still shown
        note_maps    they have been replaced by maps of this search
        end          it is over; ``ended`` says how

    At each time it can become outdated (``outdate``), and its maps can be taken away (``clear``).
    """

    def __init__(self, inputs: SearchInputs, *, appends: bool) -> None:
        self.inputs = inputs
        """All that it depends on."""
        self.appends = appends
        """True if its maps are shown besides those of the search before."""
        self.ended: Ended | None = None
        """Its end; None while it is under way, and if its maps were taken away."""
        self._validity = Validity.VALID
        # Without a filter the first maps come at once: dimming would only flicker.
        self._awaits_first_maps = bool(inputs.condition) and not appends
        """True while it looks for maps that pass a filter and has found none."""

    @property
    def base(self) -> Base:
        """The base that its maps are rolled onto."""
        return self.inputs.maps.base

    @property
    def is_outdated(self) -> bool:
        """True if its maps have to be searched for again."""
        return self._validity is not Validity.VALID

    @property
    def shows_former_maps(self) -> bool:
        """True if the maps of the search before are shown, which its filter did not ask for.

        They are shown while it looks for the first one, and if no map can pass the filter.
        """
        return self._awaits_first_maps or self._validity is Validity.FILTER_REFUSED

    def note_maps(self) -> None:
        """Note that its first maps, or that there are none, are shown now."""
        self._awaits_first_maps = False

    def end(self, ended: Ended) -> None:
        """Note how it has ended."""
        self.ended = ended

    def outdate(self, validity: Validity = Validity.OUTDATED) -> None:
        """Note why its maps cannot be rolled any more; it looks for none."""
        self._validity = validity
        self._awaits_first_maps = False

    def clear(self) -> None:
        """Note that the maps were taken from the list: there are none to go on from."""
        self.ended = None
