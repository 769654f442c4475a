"""The parser of the command lines ``randomizer`` and ``battlelands``, and the types of its options.

``Parser`` is argparse's with stricter and more helpful errors. ``WholeNumber`` and ``read_share``
are types: argparse calls one with the text of an option. This file imports argparse and little
else, so that help and errors come at once.
"""

from __future__ import annotations

import argparse
import math
import re
import sys
from collections.abc import Iterable
from typing import Any

HIGHEST_SEED = 2**32 - 1
"""The highest seed, as ``randomizer.model.basics.dice`` has it."""

HIGHEST_NUMBER = 2**53 - 1
"""The highest number of a map, as the same module has it. It is not imported: it needs numpy."""

HIGHEST_COUNT = HIGHEST_NUMBER + 1
"""The largest number of maps of one command: they are numbered from 0."""

_MIN_SIMILARITY = 0.7
"""The least similarity (difflib; 1 is equal) of an option that is proposed for an unknown one.

If it is smaller, options are proposed that have little in common with what was typed.
"""


class Parser(argparse.ArgumentParser):
    """An ArgumentParser without abbreviations of options, whose help keeps the lines of its texts.

    For an unknown option it proposes the known one that was probably meant.
    """

    takes_places = False
    """Set to True before parsing if unknown options name *places* of a game, to export into them.

    For example ``--variant Default`` names a folder of Colossus. Which places there are depends on
    the game of the map, which is read only later; an installed package can bring games of its own.
    """

    def __init__(self, prog: str, **options: Any) -> None:
        formatter = argparse.RawDescriptionHelpFormatter
        super().__init__(prog, allow_abbrev=False, formatter_class=formatter, **options)

    def parse_known_args(self, args=None, namespace=None):  # type: ignore[no-untyped-def]
        """Parse as ``ArgumentParser``, with an error for what is unknown.

        With ``takes_places`` the result has ``places``: ``{"variant": "Default"}`` for
        ``--variant Default``. That is for the parser of a verb, which gets its ``args`` from the
        program's parser, never None. The second value is always empty.
        """
        if self.takes_places:
            self._add_places(args or ())
        result, unknown = super().parse_known_args(args, namespace)
        if unknown:
            # Not in ``parse_args``: argparse calls that of the whole program only, and the usage of
            # the verb is the one to print.
            advice = ", ".join(self._with_advice(word) for word in unknown)
            self.error(f"unknown: {advice}")
        return result, unknown

    def _add_places(self, words: Iterable[str]) -> None:
        """Add every unknown option among the words of a command line as one that names a place.

        Dashes alone are none: ``--`` ends the options. What is added stays for another parse, but a
        command line is parsed once.
        """
        self.set_defaults(places={})
        for word in words:
            option = word.partition("=")[0]
            is_option = option.startswith("--") and bool(option.strip("-"))
            if is_option and option not in self._option_string_actions:
                self.add_argument(option, action=_Place, help=argparse.SUPPRESS)

    def _with_advice(self, word: str) -> str:
        """Return a word that the parser does not know, with the option that was probably meant."""
        from difflib import get_close_matches

        options = [option for option in self._option_string_actions if option.startswith("--")]
        option = word.partition("=")[0]
        matches = get_close_matches(option, options, n=1, cutoff=_MIN_SIMILARITY)
        if matches:
            return f"{word} (did you mean {matches[0]}?)"
        return word


class _Place(argparse.Action):
    """Stores the value of an option such as ``--variant`` in ``places``, by the option's name."""

    def __init__(self, option_strings: list[str], dest: str, help: str | None = None) -> None:
        # The value gets no attribute in the result, since ``places`` has it.
        super().__init__(option_strings, argparse.SUPPRESS, help=help)

    def __call__(
        self,
        _parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        value: object,
        _option: object = None,
    ) -> None:
        """Put the value into ``namespace.places``."""
        name = self.option_strings[0].removeprefix("--")
        namespace.places[name] = value


class VersionAction(argparse.Action):
    """The action of ``--version``: looks the version up only when it is used."""

    def __init__(self, option_strings: list[str], dest: str) -> None:
        super().__init__(
            option_strings, argparse.SUPPRESS, nargs=0, help="show the program's version and exit"
        )

    def __call__(self, parser: argparse.ArgumentParser, *_unused: object) -> None:
        """Print the version and end the program."""
        from importlib.metadata import PackageNotFoundError, version

        try:
            number = version("battlelands-builder")
        except PackageNotFoundError:
            number = "(not installed)"  # the program runs from its sources
        # The private method that argparse's version action calls: ``exit`` with a message would
        # write to standard error.
        parser._print_message(f"randomizer {number}\n", sys.stdout)
        parser.exit()


class WholeNumber:
    """The type of an option whose values are integers: argparse calls it with the text of one."""

    def __init__(self, lowest: int, highest: int) -> None:
        """Accept the integers from ``lowest`` to ``highest``."""
        self._lowest = lowest
        self._highest = highest

    def __call__(self, text: str) -> int:
        """Return the number of a text. Raises argparse's error, which names the range."""
        # ``int`` of very long texts is slow; no range here has numbers of more than 20 digits.
        if re.fullmatch("-?[0-9]{1,20}", text):
            number = int(text)
            if self._lowest <= number <= self._highest:
                return number
        range_text = f"from {self._lowest} to {self._highest}"
        message = f"a whole number {range_text} is wanted, not “{text[:40]}”"
        raise argparse.ArgumentTypeError(message)


SEED = WholeNumber(0, HIGHEST_SEED)
"""The type of the seed of a series of maps."""

NUMBER = WholeNumber(0, HIGHEST_NUMBER)
"""The type of the number of a map within its series."""

COUNT = WholeNumber(1, HIGHEST_COUNT)
"""The type of a number of maps, battles or seconds."""


def read_share(text: str) -> float:
    """Return the number from 0 to 1 that a text is. Raises argparse's error."""
    try:
        share = float(text)
    except ValueError:
        share = math.nan  # refused below, as "nan" is
    if not 0 <= share <= 1:
        raise argparse.ArgumentTypeError(f"a number from 0 to 1 is wanted, not “{text[:40]}”")
    return share
