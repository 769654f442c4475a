"""What the gallery says: how a search ended, and why there are no maps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from app.features.gallery.search import AT_ONCE, Ended
from randomizer.forcing import can_be_forced
from randomizer.model.plurals import counted, many
from randomizer.model.problems import Problem


class Said(NamedTuple):
    """``words`` stand below the pictures, ``without_maps`` in their place if there are none."""

    words: str
    without_maps: str = ""


def of_end(ended: Ended, seed: int, first: int, shown: int, *, of_filter: bool) -> Said:
    """How a search ended: so many maps are ``shown``, from number ``first`` of ``seed`` on."""
    if not ended.words and ended.following == first:
        return Said(f"Seed {seed}: no map yet")
    if not ended.words:
        text = f"Seed {seed}, no. {first:,} to {ended.following - 1:,}"
        failed = ended.following - first - shown
        return Said(
            f"{text}; {failed:,} of them {many(failed, 'makes', 'make')} no map"
            if failed > 0
            else text
        )
    none = "keeps the locks. More tries others."
    if of_filter:
        none = "passes the filter. More tries others, an empty line above shows all maps."
    text = f"{counted(shown, 'map')} shown; {ended.words}"
    if ended.kept < AT_ONCE:  # there are no others
        text = f"{ended.words[:1].upper()}{ended.words[1:]}"
    return Said(text, f"None of the maps tried {none}")


def of_locks(problems: Sequence[Problem]) -> Said | None:
    """Why no map keeps the locks; None if that is not what is wrong."""
    if not can_be_forced(problems):
        return None
    text = " ".join(problem.message for problem in problems[:2])
    return Said(text, f"{text} Unlock it, or Re-roll: then it can be forced.")


def of_script(problem: Problem) -> Said:
    """Why the script makes no maps."""
    line = "" if problem.line is None else f" (line {problem.line})"
    return Said(f"The script rolls nothing: {problem.message}{line}")


def of_mistake(problem: Problem) -> Said:
    """What is wrong with a filter."""
    way_out = "" if problem.fix is None else f" ({problem.fix.title})"
    return Said(f"{problem.message[:1].upper()}{problem.message[1:]}{way_out}")
