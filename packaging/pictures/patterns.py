"""Hatchings and dots over all cells, for terrains of worlds whose meaning is not known."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from pictures.ground import PERIOD
from pictures.pen import Pen, around, curve, placed

BLACK = "#000000"
WHITE = "#ffffff"

TOGETHER = 18
"""So many marks are one path."""


def _pattern(lines: Sequence[str], width: float = 4.5) -> Pen:
    """Lines over the torus, dark and light side by side: seen on every colour."""
    pen = Pen("#808080")
    pen.group("ground")
    pen.path(f"M-9 -9H{PERIOD + 9:g}V{PERIOD + 9:g}H-9Z", "#808080")
    for start in range(0, len(lines), TOGETHER):
        some = "".join(lines[start : start + TOGETHER])
        pen.path(placed(some, 3, 4), line=WHITE, width=width, opacity=0.36)
        pen.path(some, line=BLACK, width=width, opacity=0.36)
    return pen


def patterns() -> dict[str, Callable[[], Pen]]:
    """The twelve patterns by name."""
    count = 18
    half = 9
    step = PERIOD / count
    wide = PERIOD / half
    rows = [(i, i * step) for i in range(count)]
    level = [f"M0 {at}L{PERIOD} {at}" for _, at in rows]
    upright = [f"M{at} 0L{at} {PERIOD}" for _, at in rows]
    falling = [f"M{i * wide} 0L{i * wide + PERIOD} {PERIOD}" for i in range(half)]
    rising = [f"M{i * wide} {PERIOD}L{i * wide + PERIOD} 0" for i in range(half)]
    spots = [(i * step + step / 2 * (j % 2), j * step) for i in range(count) for j in range(count)]
    dots = [f"M{x} {y}L{x + 0.1} {y}" for x, y in spots]
    sparse = [(x, y) for x, y in spots if round(y / step) % 2 == 0]
    waves = [
        curve(
            [(k * step / 2, y + (6 if k % 2 else -6)) for k in range(2 * count + 1)], closed=False
        )
        for _, y in rows
    ]
    zigzag = [
        "M" + "L".join(f"{k * step / 2} {y + (7 if k % 2 else -7)}" for k in range(2 * count + 1))
        for _, y in rows
    ]
    rings = [curve([around(x, y, 9, 9, 60 * turn) for turn in range(6)]) for x, y in sparse]
    crosses = [f"M{x - 7} {y}L{x + 7} {y}M{x} {y - 7}L{x} {y + 7}" for x, y in sparse]
    joints = [(i * step + step / 2 * (j % 2), j * step) for j in range(count) for i in range(count)]
    bricks = level + [f"M{x} {y}L{x} {y + step}" for x, y in joints]
    kinds = (
        (dots, 12),
        (level,),
        (rising,),
        (waves,),
        (falling,),
        (rings,),
        (upright,),
        (zigzag,),
        (rising + falling,),
        (crosses,),
        (level + upright,),
        (bricks,),
    )
    return {f"Pattern {number}": partial(_pattern, *kind) for number, kind in enumerate(kinds, 1)}
