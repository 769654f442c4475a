"""The preferences of the desk: described once for the dialog, the menus and the stored settings.

Each is a ``Setting`` with its choices: pairs of a value and its title.
"""

from __future__ import annotations

from app.render.theme import COLOUR_SETS
from randomizer.model.settings.setting import Setting

THEME = Setting(
    "theme",
    str,
    "Light or dark, for the whole desk",
    "system",
    (("system", "As the system"), ("light", "Light"), ("dark", "Dark")),
    title="&Colours",
)
COLOUR_SET = Setting(
    "colour_set",
    str,
    "How hazards are told apart on the map",
    "pictures",
    COLOUR_SETS,
    title="&Map colours",
)
SCALE = Setting(
    "scale",
    int,
    "Text, buttons and pictures; at the next start",
    0,
    (
        (0, "As the system"),
        *((percent, f"{percent} %") for percent in (100, 125, 150, 200, 250)),
    ),
    title="Si&ze of everything",
)
WHEEL = Setting(
    "wheel",
    str,
    "Shift scrolls sideways where the wheel scrolls",
    "zoom",
    (("zoom", "zooms to the cursor"), ("scroll", "scrolls; with Ctrl it zooms")),
    title="The mouse &wheel",
)
TOUCHPAD = Setting(
    "touchpad",
    str,
    "Pinching always zooms, a double tap with two fingers shows the whole map",
    "scroll",
    (("scroll", "move the view; with Ctrl they zoom"), ("zoom", "zoom to the cursor")),
    title="&Two fingers on a touchpad",
)
