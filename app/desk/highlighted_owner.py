"""The owner of new things: the one that is highlighted in a list of players or sides."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.tools.options import ToolOptions


class HighlightedOwner:
    """Lets new things belong to the owner that a list highlights.

    The list calls ``choose`` when the user chooses an owner in it, ``follow`` whenever it shows
    which one is highlighted, and ``forget`` when it shows those of another map. Owner 0 is nobody.
    """

    def __init__(self, options: ToolOptions) -> None:
        self._options = options
        self._owner: int | None = None
        """The highlighted owner of new things; None until one is chosen in the list."""

    def choose(self, owner: int) -> None:
        """Let new things belong to an owner."""
        self._options.choose_owner(owner)
        self._owner = owner

    def follow(self, owner: int) -> None:
        """Let new things belong to the owner highlighted now, if they did to the one before.

        Undo and Redo highlight another one without a click. Nothing changes if another owner was
        chosen in the tool bar meanwhile.
        """
        if self._owner is None:
            return
        # The owner of new things is None once it is gone from the map.
        if self._options.owner in (None, self._owner):
            self.choose(owner)

    def forget(self) -> None:
        """Leave the owner of new things as it is until one is chosen in the list."""
        self._owner = None
