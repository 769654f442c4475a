"""The text of a value that helps one of two armies: one convention of signs, in words."""

from __future__ import annotations

from typing import NamedTuple


class Favoured(NamedTuple):
    """The sides that values of a measure help, in words: ``Favoured("attacker", "defender")``."""

    if_above: str
    """The side that values above 0 help."""

    if_below: str
    """The side that values below 0 help."""


def describe_favour(value: float, amount: str, unit: str, favours: Favoured) -> str:
    """Return whom a value helps, and how much: "attacker +12 %"; "even" if the ``amount`` is 0.

    ``amount`` is the absolute value, rounded as a text.
    """
    if float(amount) == 0:
        return "even"
    helped = favours.if_below
    if value > 0:
        helped = favours.if_above
    return f"{helped} +{amount} {unit}".rstrip()
