"""The texts on the card of an empty map, which tell how a map of each kind is begun.

``keys`` are the keys of a command as people write them, "" if it has none.
"""

from __future__ import annotations

from randomizer.model.basics.plurals import counted

DICE_WAIT = (
    "This table waits for its dice: Go on entering, in the panel Dice (Randomize > Dice...), "
    "asks for the rest."
)
"""The text on an empty table for which dice were entered, but not all."""

DICE_BY_HAND = "Enter your dice in the panel Dice: they lay the table here."
"""The text for a table whose dice are entered by hand."""


def text_beside_dice_panel(keys: str) -> str:
    """Return the text for a table while the panel of dice, which lays it, is open."""
    throw = "Throw"
    if keys:
        throw = f"Throw ({keys})"
    return (
        "This table is empty. Bob Cordery's dice lay it: fill in the panel Dice and "
        f"press {throw}; for dice of your own choose Entered by hand there. "
        "Or paint from the Palette."
    )


def text_for_table(keys: str) -> str:
    """Return the text for a table while the panel of dice is not open."""
    press_keys = ""
    if keys:
        press_keys = f", or press {keys}"
    return (
        "This table is empty. Randomize > Dice... opens the panel that lays it, with dice "
        f"of your own or of the program{press_keys} to have it thrown. Or choose in the "
        "Palette and paint with the left button."
    )


def text_for_script(name: str, keys: str, player_count: int | None) -> str:
    """Return the text for a map whose script the user writes.

    ``player_count`` is None if the script has no setting for it, as those of 0 A.D. have.
    """
    players = ""
    if player_count is not None:
        players = f", with {counted(player_count, 'player')}"
    return f"{name} has not made this map yet: {keys or 'Roll'} rolls it{players}."


def text_for_map(keys: str, *, can_roll: bool) -> str:
    """Return the text for a map that neither dice nor a script of the user's make."""
    press_keys = ""
    if can_roll:
        press_keys = f"press {keys or 'Roll'} to have one rolled, "
    return (
        "This map is empty. Choose a terrain in the Palette and paint with the left "
        f"button, {press_keys}or drop a map or a script here."
    )
