"""What ``Rolling`` asks for the setup of the next roll: a ``RollProvider``.

The script that is shown is one (``ShownScript``), and so are the dice of a wargame table
(``TableSetups``). ``Rolling`` asks the one that serves the current map. An example: dice are thrown
for a table, and in it a person has fixed a die of seed 17 no. 3::

    provider.setup()                     # without that die: it belongs to no. 3 alone
    provider.setup(DrawKey(17, 3))       # with it, if no. 3 is the table that lies on the map
    provider.setup_of_step(DrawKey(17, 3), roll)    # with it, also after another table was thrown
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from PySide6.QtCore import SignalInstance

from app.rolling.roll_setup import RollSetup
from randomizer.model.map.layer import Roll
from randomizer.model.rolls.draw_key import DrawKey

AskForInput = Callable[[], object]
"""Asks the user for what a roll needs, such as dice, or goes on with questions that were begun.

The provider itself begins the roll once all is entered: in place of the layer that is rolled then,
else as a new layer.
"""


class RollProvider(Protocol):
    """Gives ``Rolling`` a setup for some kinds of map: the script shown or a system's own form."""

    @property
    def setup_changed(self) -> SignalInstance:
        """Emitted, without arguments, when ``setup`` or ``why_not`` may return something else."""

    def serves_map(self) -> bool:
        """Return whether this provider rolls maps like the current one."""

    def setup(self, key: DrawKey | None = None) -> RollSetup:
        """Return the setup of a roll onto the current map; called only if ``serves_map()``.

        With the ``key`` of the map that is shown it includes what was chosen for that map alone.
        With another key, or None, it has only what all maps share.
        """

    def setup_of_step(self, key: DrawKey, roll: Roll | None) -> RollSetup:
        """Return the setup of a step to the map of a key.

        If that map was shown before, ``roll`` is the one that it had then: the map comes back as it
        was, whatever was chosen since. None: it was not, and has what is chosen now.
        """

    def asker(self) -> AskForInput | None:
        """Return a function that asks the user for what a roll needs; None if it needs nothing."""

    def why_not(self) -> str:
        """Return why the program cannot roll the setup onto the current map, as text.

        "" if it can. A roll for which the user can be asked (``asker``) can be begun all the same.
        """

    def loading(self) -> bool:
        """Return whether another script is being loaded into the current map: a roll waits for it.

        ``setup_changed`` is emitted when it is loaded.
        """
