"""What a person can choose for variations: how many, how different, how fair, what stays."""

from __future__ import annotations

from randomizer.model.settings.setting import Setting

MAX_CELLS = 20_000
"""Of larger maps twenty variations take minutes."""

SHARE = "share"
NUMBER = "number"
FAIRNESS = "fairness"
KEEP = "keep"

SETTINGS = (
    Setting(
        SHARE,
        int,
        "Each variation differs from the map, and from each other variation of the same seed, in "
        "terrain or elevation of at least so many of its {cells}.",
        20,
        minimum=1,
        maximum=100,
        title="Different",
        unit="%",
    ),
    Setting(
        NUMBER, int, "How many variations a seed has.", 20, minimum=1, maximum=50, title="Maps"
    ),
    Setting(
        KEEP,
        str,
        "The {cells} that stay as they are besides the locked ones, such as those with things on "
        "them: their names, with a comma between.",
        "",
    ),
)

FAIRNESS_SETTING = Setting(
    FAIRNESS,
    int,
    "The ground gives neither side more than so many percent; or not more than in the original, if "
    "that is less fair.",
    15,
    minimum=0,
    maximum=100,
    title="Fair within",
    unit="%",
)
