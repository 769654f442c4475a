"""Chooses the form of a random map script for a release of the game.

    style = style_for_release_text("0.27.1")        # GLOBAL_FUNCTION
    style.entry                        # the end of each script in this form

All scripts of finished maps have the same function, "fixedMap", which returns the map. They differ
in their last lines, since the releases run a script differently:

- release 26 (``TOP_LEVEL``) runs the script, which then has to hand over the map itself;
- release 27 (``GLOBAL_FUNCTION``) calls the script's function "GenerateMap";
- release 28 (``MODULE``) loads the script as a module and calls the "generateMap" that it exports.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from randomizer.systems.zeroad.installation.installations import Installation

MARK = b"// A finished map of Battlelands Builder"
"""The first bytes of every script that holds a finished map."""

LARGEST_SCRIPT = 64 * 2**20
"""The largest size, in bytes, of a script that holds a finished map."""


@dataclass(frozen=True, slots=True)
class Style:
    """A form of scripts, as releases of the game want it."""

    release: int
    """The number of the first release of the game with this form."""
    entry: str
    """The end of the script: what the game runs or calls to get the map."""
    dependencies: tuple[str, ...]
    """The entry "dependencies" of a mod with such scripts: which releases of the game load it."""

    @property
    def version(self) -> str:
        """The name of the first release with this form, such as "0.27"."""
        return f"0.{self.release}"


TOP_LEVEL = Style(
    release=26,
    entry="Engine.ExportMap(fixedMap(g_MapSettings));\n",
    dependencies=("0ad=0.0.26",),
)

GLOBAL_FUNCTION = Style(
    release=27,
    entry="""\
function* GenerateMap(mapSettings)
{
	yield 50;
	return fixedMap(mapSettings);
}
""",
    dependencies=("0ad>=0.27.0", "0ad<0.28.0"),
)

MODULE = Style(
    release=28,
    entry="""\
export function* generateMap(mapSettings)
{
	yield 50;
	return fixedMap(mapSettings);
}
""",
    dependencies=("0ad>=0.28.0",),
)

STYLES = (MODULE, GLOBAL_FUNCTION, TOP_LEVEL)
"""All forms, the newest first."""


_RELEASE = re.compile(
    r"""
    (?: ^ | [^\d.] )        # not within another number: "10.27" has no release
    0\. (?: 0\. )?          # "0.", or "0.0." as in the names of releases up to 26
    ([1-9]\d?) (?!\d)       # the release: one or two digits, not more
    """,
    re.ASCII | re.VERBOSE,
)
"""The number of a release in the version or the name of a game."""


def style_for_release_text(version: str) -> Style | None:
    """Return the form for the version of a game, such as "0.0.26" or "0.27.1".

    The newest form counts for all later releases, the oldest one for all before it. None if the
    text is no version.
    """
    match = _RELEASE.search(version)
    if match is None:
        return None
    release = int(match[1])
    for style in STYLES:
        if release >= style.release:
            return style
    return TOP_LEVEL


def installed_styles() -> tuple[Style, ...]:
    """Return the forms that the installed games want, each once."""
    # Every command loads this module to recognise files, and hardly any looks for the game.
    from randomizer.systems.zeroad.installation.installations import find_installations

    styles = dict.fromkeys(
        style_of_installation(installation) for installation in find_installations()
    )
    return tuple(style for style in styles if style is not None)


def style_of_installation(installation: Installation) -> Style | None:
    """Return the form that an installed game wants.

    It is that of its own scripts. Without these it is told by the name of the game, which has the
    version; None if it has none.
    """
    from randomizer.systems.zeroad.installation.script_forms import installed_form

    # Later mods replace files of earlier ones, so they are asked first.
    form = installed_form(reversed(installation.mods))
    if form is None:
        return style_for_release_text(installation.name)
    # ``installed_form`` knows the releases of ``STYLES`` and no others.
    return next(style for style in STYLES if style.release == form)


def versions() -> tuple[str, ...]:
    """Return the versions for which scripts can be written, those of installed games first."""
    return tuple(style.version for style in dict.fromkeys((*installed_styles(), *STYLES)))


def style_by_version(version: str) -> Style | None:
    """Return the form with this version, None if it is none of ``versions``."""
    return next((style for style in STYLES if style.version == version), None)
