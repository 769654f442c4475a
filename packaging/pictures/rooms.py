"""What rooms under a roof have: wooden floors, doors, stairs and pillars, mostly for squares."""

from __future__ import annotations

import random

from pictures.compose import single
from pictures.ground import PERIOD, begin_ground, mottle, torus_points
from pictures.pen import Pen, outline
from pictures.rock import mix

FLOOR = "#b4b0a8"

ON_SQUARES = 1.45
"""What stands on squares is so much larger than trees and stones are there: it fills the cell."""


def _size(size: float) -> float:
    if size < 1:
        return size * ON_SQUARES
    return size


def _box(left: float, top: float, right: float, bottom: float, size: float) -> str:
    corners = [(left, top), (right, top), (right, bottom), (left, bottom)]
    return outline([(x * size, y * size) for x, y in corners])


def _begin_floor(pen: Pen, rng: random.Random) -> None:
    begin_ground(pen, FLOOR)
    mottle(pen, rng, 80, (40, 80), (("#9a958b", 0.3), ("#c6c1b7", 0.3)))


def wooden_floor() -> Pen:
    """Boards, which lie from west to east; each row has its joints elsewhere."""
    rng = random.Random(901)
    pen = Pen("#a5865e")
    begin_ground(pen, "#a17f55")
    rows = 26
    high = PERIOD / rows
    tones = ("#a98860", "#9b7a50", "#b08f67", "#937349")
    joints = ""
    gleams = ""
    boards: dict[str, str] = dict.fromkeys(tones, "")
    for row in range(rows):
        top = row * high
        bottom = top + high
        joints += f"M-9 {bottom:.1f}H{PERIOD + 9:g}"
        gleams += f"M-9 {top + 2:.1f}H{PERIOD + 9:g}"
        first = rng.uniform(0, 60)
        left = first
        while left < PERIOD + first - 1:
            right = min(left + rng.uniform(90, 170), PERIOD + first)
            if PERIOD + first - right < 60:
                right = PERIOD + first
            tone = rng.choice(tones)
            for shift in (0, -PERIOD):  # a board that passes the end of the torus begins it, too
                boards[tone] += _box(left + shift, top, right + shift, bottom, 1)
                joints += f"M{right + shift:.1f} {top:.1f}V{bottom:.1f}"
            left = right
    for tone, d in boards.items():
        pen.path(d, tone)
    pen.path(gleams, line="#d0b184", width=1, opacity=0.35)
    pen.path(joints, line="#5d4429", width=1.6, opacity=0.8)
    grain = ""
    for x, y in torus_points(rng, 26):
        grain += f"M{x:.1f} {y:.1f}h{rng.uniform(8, 22):.1f}"
    pen.path(grain, line="#6b4f30", width=1, opacity=0.4)
    mottle(pen, rng, 110, (60, 100), (("#6b4d2c", 0.22), ("#d9bb8d", 0.2)))
    single(pen, 902, _nothing)
    return pen


def _nothing(_pen: Pen, _rng: random.Random, _size: float) -> None:
    """Leave the floor free."""


def door() -> Pen:
    """A door of planks and iron in a frame of stone."""
    rng = random.Random(905)
    pen = Pen(FLOOR)
    _begin_floor(pen, rng)

    def draw(pen: Pen, rng: random.Random, given_size: float) -> None:
        size = _size(given_size)
        tone = rng.choice(("#8a623a", "#7f5a36", "#94693f"))
        dark = mix(tone, "#1d1209", 0.55)
        pen.oval(10 * size, 52 * size, 62 * size, 12 * size, pen.soft("#15120e", 0.7))
        pen.path(_box(-52, -50, 52, 54, size), pen.slant("#cfc9bc", "#857f74"), "#4b463e", 1.2)
        blocks = ""
        for y in (-24, 2, 28):
            blocks += f"M{-52 * size:.1f} {y * size:.1f}h{14 * size:.1f}"
            blocks += f"M{38 * size:.1f} {y * size:.1f}h{14 * size:.1f}"
        for x in (-18, 18):
            blocks += f"M{x * size:.1f} {-50 * size:.1f}v{12 * size:.1f}"
        pen.path(blocks, line="#5b564d", width=1.2)
        pen.path(_box(-38, -38, 38, 54, size), dark)
        pen.path(_box(-34, -34, 34, 54, size), pen.slant(mix(tone, "#ffffff", 0.18), tone))
        planks = ""
        for x in (-20, -7, 7, 20):
            planks += f"M{x * size:.1f} {-34 * size:.1f}v{88 * size:.1f}"
        pen.path(planks, line=dark, width=1.4)
        for y in (-20, 32):
            pen.path(_box(-34, y, 34, y + 8, size), "#4a4744", "#24211f", 0.8)
        pen.oval(22 * size, 10 * size, 5 * size, 6 * size, line="#2b2826", width=3 * size)

    single(pen, 906, draw)
    return pen


def stairs_down() -> Pen:
    """A shaft in the floor with steps that get darker to the north."""
    rng = random.Random(909)
    pen = Pen(FLOOR)
    _begin_floor(pen, rng)

    def draw(pen: Pen, _rng: random.Random, given_size: float) -> None:
        size = _size(given_size)
        pen.path(_box(-54, -54, 54, 54, size), "#8b8579", "#4b463e", 1)
        pen.path(_box(-50, -50, 50, 50, size), "#c5bfb2")
        pen.path(_box(-42, -46, 42, 50, size), "#14110e")
        steps = 6
        for step in range(steps):
            high = 15
            bottom = 50 - step * high
            tone = mix("#2a2622", "#b9b2a4", 1 - step / steps)
            pen.path(_box(-42, bottom - high, 42, bottom, size), tone)
            pen.path(
                _box(-42, bottom - high, 42, bottom - high + 4, size), mix(tone, "#000000", 0.5)
            )
        pen.path(_box(-42, -46, -34, 50, size), "#000000", opacity=0.35)

    single(pen, 910, draw)
    return pen


def stairs_up() -> Pen:
    """Steps that rise to the north, each lit on its tread."""
    rng = random.Random(913)
    pen = Pen(FLOOR)
    _begin_floor(pen, rng)

    def draw(pen: Pen, _rng: random.Random, given_size: float) -> None:
        size = _size(given_size)
        pen.oval(16 * size, 16 * size, 66 * size, 54 * size, pen.soft("#15120e", 0.8))
        steps = 6
        for step in range(steps):
            top = 36 - step * 18
            tread = mix("#a39c8f", "#efe9dc", step / steps)
            pen.path(_box(-46, top, 46, top + 11, size), tread, "#57524a", 0.9)
            pen.path(_box(-46, top + 11, 46, top + 18, size), mix(tread, "#2a2622", 0.5))
        for left, tone in ((-54, "#cdc6b8"), (46, "#7d776c")):
            pen.path(_box(left, -56, left + 8, 54, size), tone, "#4b463e", 0.9)

    single(pen, 914, draw)
    return pen


def pillar() -> Pen:
    """A round pillar on a square foot."""
    rng = random.Random(917)
    pen = Pen(FLOOR)
    _begin_floor(pen, rng)

    def draw(pen: Pen, rng: random.Random, given_size: float) -> None:
        size = _size(given_size) * rng.uniform(0.96, 1.04)
        pen.oval(26 * size, 34 * size, 58 * size, 22 * size, pen.soft("#15120e", 0.85))
        pen.path(_box(-36, 12, 36, 44, size), "#7f796e", "#4b463e", 1)
        pen.path(_box(-36, 6, 36, 34, size), "#c8c1b3", "#4b463e", 1)
        shaft = pen.linear(
            (-26 * size, 0), (26 * size, 0), (0, "#a8a194"), (0.3, "#ece6d9"), (1, "#6e685e")
        )
        pen.path(_box(-24, -44, 24, 18, size), shaft)
        pen.oval(0, 18 * size, 24 * size, 9 * size, shaft)
        flutes = ""
        for x in (-12, -1, 11):
            flutes += f"M{x * size:.1f} {-38 * size:.1f}v{58 * size:.1f}"
        pen.path(flutes, line="#7d776c", width=1.4, opacity=0.6)
        pen.path(_box(-32, -52, 32, -40, size), "#b3ac9e", "#4b463e", 1)
        pen.path(_box(-32, -64, 32, -50, size), "#e3dccd", "#4b463e", 1)

    single(pen, 918, draw)
    return pen
