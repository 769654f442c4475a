"""The text of a value that helps one of two armies: one convention of signs, in words."""

from __future__ import annotations


def describe_favour(value: float, amount: str, unit: str, favours: tuple[str, str]) -> str:
    """Return whom a value helps, and how much: "attacker +12 %"; "even" if the ``amount`` is 0.

    ``amount`` is the absolute value, rounded as a text. ``favours`` are whom values above 0 and
    below 0 help.
    """
    if float(amount) == 0:
        return "even"
    helped_if_above, helped_if_below = favours
    helped = helped_if_below
    if value > 0:
        helped = helped_if_above
    return f"{helped} +{amount} {unit}".rstrip()
