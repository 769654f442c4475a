"""The three forms that the game's releases want a random map script in, and which is wanted."""

from __future__ import annotations

import re
from dataclasses import dataclass

from randomizer.systems.zeroad.installation.installations import Installation, find
from randomizer.systems.zeroad.installation.script_forms import installed_form

MARK = b"// A finished map of Battlelands Builder"
"""The first bytes of every script that holds a finished map."""

LARGEST_SCRIPT = 64 * 2**20
"""In bytes, of a finished map."""


@dataclass(frozen=True, slots=True)
class Style:
    """A form of scripts."""

    release: int
    """The number of the first release of the game with this form."""
    entry: str
    """The end of the script: what the game runs or calls to get the map."""
    dependencies: tuple[str, ...]
    """Those of a mod with such scripts, as mod.json has them: the game of these releases."""

    @property
    def version(self) -> str:
        """The first release of this form, as the game is called."""
        return f"0.{self.release}"


TOP_LEVEL = Style(26, "Engine.ExportMap(fixedMap(g_MapSettings));\n", ("0ad=0.0.26",))
GLOBAL_FUNCTION = Style(
    27,
    """\
function* GenerateMap(mapSettings)
{
	yield 50;
	return fixedMap(mapSettings);
}
""",
    ("0ad>=0.27.0", "0ad<0.28.0"),
)
MODULE = Style(
    28,
    """\
export function* generateMap(mapSettings)
{
	yield 50;
	return fixedMap(mapSettings);
}
""",
    ("0ad>=0.28.0",),
)

STYLES = (MODULE, GLOBAL_FUNCTION, TOP_LEVEL)
"""The newest first."""


def style_for(version: str) -> Style | None:
    """Return the form for a version ("0.0.26", "0.27.1"), None if the text is no version."""
    match = re.search(r"(?:^|[^\d.])0\.(?:0\.)?([1-9]\d?)(?!\d)", version, re.ASCII)
    if match is None:
        return None
    release = int(match[1])
    for style in STYLES:
        if release >= style.release:
            return style
    return TOP_LEVEL


def installed_styles() -> tuple[Style, ...]:
    """Return the forms of the games that are found, without repetition."""
    styles = dict.fromkeys(style_of(installation) for installation in find())
    return tuple(style for style in styles if style is not None)


def style_of(installation: Installation) -> Style | None:
    """Return the form of an installed game: that of its own scripts, else by its name."""
    form = installed_form(reversed(installation.mods))
    if form is None:
        return style_for(installation.name)
    return next(style for style in STYLES if style.release == form)


def versions() -> tuple[str, ...]:
    """Return all versions that scripts can be written for, those of installed games first."""
    return tuple(style.version for style in dict.fromkeys((*installed_styles(), *STYLES)))


def style_of_version(version: str) -> Style | None:
    """Return the form of one of ``versions``."""
    return next((style for style in STYLES if style.version == version), None)
