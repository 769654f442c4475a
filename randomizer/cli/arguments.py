"""The options of the command line and their help.

``build_parser`` is what ``randomizer`` calls first. A *verb* is the first word after the program's
name, such as ``roll`` in ``randomizer roll Tower``. ``_verbs`` is the table of the verbs; a
function ``_add_...`` adds the options of one verb, or of several. What a verb does is in the module
of its name, its help in ``help_texts``. This file imports argparse and little else, so that help
and errors come at once.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from randomizer.cli.help_texts import (
    _SAVED,
    BALANCE,
    CHECK,
    CONVERT,
    CONVERT_EXAMPLES,
    DESCRIPTION,
    DIFF,
    DIFF_EXAMPLES,
    EXIT_CODES,
    EXPORT,
    EXPORT_EXAMPLES,
    FIGHT,
    FIGHT_EXAMPLES,
    FILTERS,
    FIND,
    LEARN,
    LEARN_EXAMPLES,
    LIST,
    LOCKS,
    ODDS,
    ODDS_LOCKS,
    REPLACE,
    REPLACE_EXAMPLES,
    ROLL,
    ROLL_EXAMPLES,
    SHOW,
    VARY,
)

SEED_MOST = 2**32 - 1
"""The highest seed, as ``randomizer.model.basics.dice`` has it."""

NUMBER_MOST = 2**53 - 1
"""The highest number of a map, as ``randomizer.model.basics.dice`` has it.

That module is not imported here: it needs numpy.
"""

COUNT_MOST = NUMBER_MOST + 1
"""The largest number of maps of one command: they are numbered from 0."""

_LEAST_LIKENESS = 0.7
"""How like an unknown option a known one has to be to be proposed (difflib: 1 is equal).

With less, options are proposed that have little in common.
"""

TIME_LIMIT_OPTION = "--time-limit"
TIME_LIMIT_S = 60
"""The usual processor time that a script has for a map, in seconds."""

TIME_LIMIT_MOST_S = 24 * 3600
"""The largest time that can be chosen, in seconds."""


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line; its result has ``verb`` and ``usage``."""
    parser = Parser("randomizer", description=DESCRIPTION, epilog=EXIT_CODES)
    parser.add_argument("--version", action=_Version)
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True, title="verbs")
    for verb in _verbs():
        verb_parser = verbs.add_parser(
            verb.name,
            prog=f"randomizer {verb.name}",
            help=verb.summary,
            description=verb.description,
            epilog=verb.epilog,
        )
        verb.add_options(verb_parser)
        verb_parser.set_defaults(usage=verb_parser.format_usage())
    return parser


class _Verb(NamedTuple):
    """A verb of the command line."""

    name: str
    summary: str
    """Its line in the list of verbs."""
    description: str
    """The text above the options in its help."""
    epilog: str | None
    """The text below the options in its help."""
    add_options: Callable[[Parser], None]
    """Adds its options to its parser."""


def _verbs() -> tuple[_Verb, ...]:
    """Return all verbs in the order of the help."""
    roll_epilog = f"{LOCKS}\n\n{ROLL_EXAMPLES}"
    # The end of the text on locks is about making maps, which a search does not do.
    find_epilog = f"{LOCKS[: LOCKS.index('Map K and')]}\n{FILTERS}"
    # Summaries that are too long for their lines below.
    odds = "say how likely every hex is to become what"
    replace = "replace terrains, ways or texts in maps"
    export = "export a map into the game, or take it back"
    return (
        _Verb("roll", "make maps with a script", ROLL, roll_epilog, _add_roll),
        _Verb("odds", odds, ODDS, ODDS_LOCKS, _add_odds),
        _Verb("fight", "fight battles on a battleland", FIGHT, FIGHT_EXAMPLES, _add_fight),
        _Verb("balance", "find edits that make a map fair", BALANCE, None, _add_balance),
        _Verb("find", "find the maps that pass a filter", FIND, find_epilog, _add_find),
        _Verb("check", "say what is wrong with scripts and maps", CHECK, None, _add_check),
        _Verb("show", "show a map", SHOW, None, _add_show),
        _Verb("convert", "write a map in another format", CONVERT, CONVERT_EXAMPLES, _add_convert),
        _Verb("diff", "say what differs between two maps", DIFF, DIFF_EXAMPLES, _add_diff),
        _Verb("replace", replace, REPLACE, REPLACE_EXAMPLES, _add_replace),
        _Verb("export", export, EXPORT, EXPORT_EXAMPLES, _add_export),
        _Verb("vary", "arrange a map otherwise", VARY, None, _add_vary),
        _Verb("learn", "learn a script from battlelands", LEARN, LEARN_EXAMPLES, _add_learn),
        _Verb("list", "list the packaged generators and the formats", LIST, None, _add_list),
    )


class Parser(argparse.ArgumentParser):
    """An ArgumentParser without abbreviations of options, whose help keeps the lines of its texts.

    It names the option that was probably meant for one that it does not know.
    """

    takes_places = False
    """True if every unknown option says where in a game something goes: a *place*.

    For example ``--variant Default`` names a folder of Colossus. Which ones there are depends on
    the game of the map, which is read only later; an installed package can bring games of its own.
    """

    def __init__(self, prog: str, **options: Any) -> None:
        formatter = argparse.RawDescriptionHelpFormatter
        super().__init__(prog, allow_abbrev=False, formatter_class=formatter, **options)

    def parse_known_args(self, args=None, namespace=None):  # type: ignore[no-untyped-def]
        """Parse as ``ArgumentParser``, with an error for what is unknown.

        With ``takes_places`` the result has ``places``: ``{"variant": "Default"}`` for
        ``--variant Default``.
        """
        if self.takes_places:
            self._add_places(args or ())
        result, unknown = super().parse_known_args(args, namespace)
        if unknown:  # here, not in parse_args: a verb's own usage is printed
            self.error(f"unknown: {', '.join(map(self._with_advice, unknown))}")
        return result, unknown

    def _add_places(self, words: Iterable[str]) -> None:
        """Add every unknown option among the words of a command line as one that names a place.

        ``--`` alone is none: it ends the options.
        """
        self.set_defaults(places={})
        for word in words:
            option = word.partition("=")[0]
            is_option = option.startswith("--") and option.strip("-")
            if is_option and option not in self._option_string_actions:
                self.add_argument(option, action=_Place, help=argparse.SUPPRESS)

    def _with_advice(self, word: str) -> str:
        """Return a word that the parser does not know, with the option that was probably meant."""
        from difflib import get_close_matches

        options = [option for option in self._option_string_actions if option.startswith("--")]
        option = word.partition("=")[0]
        matches = get_close_matches(option, options, n=1, cutoff=_LEAST_LIKENESS)
        if matches:
            return f"{word} (did you mean {matches[0]}?)"
        return word


class _Place(argparse.Action):
    """Stores the value of an option such as ``--variant`` in ``places``, by the option's name."""

    def __init__(self, option_strings: list[str], dest: str, help: str | None = None) -> None:
        # No attribute of its own in the result: ``places`` has it.
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


class _Version(argparse.Action):
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
            number = "(not installed)"
        # Like argparse's own version action; ``exit`` would write to standard error.
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
        # No range here has numbers of more than 20 digits.
        if re.fullmatch("-?[0-9]{1,20}", text, re.ASCII):
            number = int(text)
            if self._lowest <= number <= self._highest:
                return number
        range_text = f"from {self._lowest} to {self._highest}"
        message = f"a whole number {range_text} is wanted, not “{text[:40]}”"
        raise argparse.ArgumentTypeError(message)


SEED = WholeNumber(0, SEED_MOST)
NUMBER = WholeNumber(0, NUMBER_MOST)
COUNT = WholeNumber(1, COUNT_MOST)


def _add_what_is_rolled(parser: argparse.ArgumentParser, *, recipes: bool = False) -> None:
    """Add the options of all verbs that roll.

    With ``recipes`` the script can be left out, since a recipe can name it.
    """
    number_of_scripts: str | None = None  # exactly one
    if recipes:
        number_of_scripts = "?"
    parser.add_argument(
        "script",
        metavar="SCRIPT|NAME",
        nargs=number_of_scripts,
        help="a script's path or a packaged name",
    )
    parser.add_argument(
        "--onto", metavar="MAP", help="roll onto this map; only what the script places changes"
    )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help='a setting of the generator ("randomizer list" shows them); may be repeated',
    )
    add_time_limit(parser)


def add_time_limit(parser: argparse._ActionsContainer) -> None:
    """Add the option of all verbs that run scripts; ``carry_out`` makes the limit hold."""
    parser.add_argument(
        TIME_LIMIT_OPTION,
        type=WholeNumber(1, TIME_LIMIT_MOST_S),
        default=TIME_LIMIT_S,
        metavar="SECONDS",
        help=f"how much processor time a map script has for each map ({TIME_LIMIT_S}); one that "
        "needs more is stopped",
    )


MAP_TERRAINS = (
    "the terrain set that a free map gets, by the names of terrains; for a map of another program "
    "by the codes"
)
"""The help of ``--terrains`` for verbs that read a map."""


def _add_terrains(parser: argparse.ArgumentParser, help_text: str) -> None:
    """Add the option that names a terrain set; ``help_text`` says for what."""
    parser.add_argument(
        "--terrains",
        metavar="FILE|NAME",
        help=f"{help_text}: a file (.terrains), or a packaged one by its name (see list)",
    )


def _add_lock(parser: argparse.ArgumentParser) -> None:
    """Add the option of verbs that keep values of the map below."""
    parser.add_argument(
        "--lock", action="append", default=[], metavar="LOCKS", help="see below; may be repeated"
    )


def _add_roll(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``roll``: what is rolled, which maps of it, and where they go."""
    _add_what_is_rolled(parser, recipes=True)
    parser.add_argument(
        "--recipe",
        metavar="TEXT|-",
        help="roll what was copied as a recipe (-: from standard input); a SCRIPT beside it is the "
        "one that the recipe names",
    )
    parser.add_argument(
        "--anyway",
        action="store_true",
        help="roll a recipe even if something is not here as it was there; it is said what",
    )
    _add_terrains(parser, "the terrain set of a new free map")
    _add_lock(parser)
    parser.add_argument(
        "--mod",
        action="append",
        default=[],
        metavar="PATH",
        help="a mod (folder or .zip) that the script may use, over the game's; may be repeated",
    )
    parser.add_argument(
        "--force",
        action="store_true",
        help="if no map keeps the locks, put them back on a free roll, and say what that breaks",
    )
    _add_maps_to_roll(parser)
    _add_output_of_roll(parser)


def _add_maps_to_roll(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``roll`` that say which maps of a generator are made."""
    parser.add_argument(
        "--seed",
        type=SEED,
        metavar="N",
        help="0 to 4294967295; without it the program chooses one and says so",
    )
    parser.add_argument(
        "--number", type=NUMBER, default=0, metavar="K", help="the map's number, from 0 (0)"
    )
    parser.add_argument(
        "--count",
        type=COUNT,
        default=1,
        metavar="N",
        help="make the maps K to K+N-1 (1); XML and maps of 0 A.D. have a file each, and there one "
        "that fails is reported (exit code 1) while the others are made",
    )


def _add_output_of_roll(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``roll`` that say as what, and into which file, maps are written."""
    parser.add_argument(
        "--format",
        metavar="FORMAT",
        help=(
            f"xml, json (an object a line), text, cells, notes, {_SAVED} or another one (see "
            "list); else by the suffix of --out, else the first for such maps, as xml for "
            "battlelands"
        ),
    )
    parser.add_argument(
        "--out",
        metavar="PATH",
        help="write into this file instead (with a file for each map: FILE-SEED-NUMBER.SUFFIX), or "
        "into this folder as SCRIPT-SEED-NUMBER.SUFFIX",
    )


def _add_odds(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``odds``."""
    _add_what_is_rolled(parser)
    _add_lock(parser)
    parser.add_argument(
        "--sides", action="store_true", help='the hexsides too: "D4:0 c 0.1"; the rest is "none"'
    )
    parser.add_argument(
        "--json",
        action="store_true",
        help="print one JSON object with method, samples, hex and hexside instead",
    )
    parser.add_argument(
        "--samples",
        type=COUNT,
        metavar="N",
        help="count N maps, be it not necessary",
    )
    parser.add_argument(
        "--seed", type=SEED, default=0, metavar="N", help="whose maps are counted (0)"
    )


def _add_find(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``find``."""
    _add_what_is_rolled(parser)
    _add_lock(parser)
    parser.add_argument(
        "--where", required=True, metavar="FILTER", help='such as "count(Tree) >= 2"; see below'
    )
    for option, kind, default, help_text in (
        ("--limit", COUNT, 10, "print N at most (10)"),
        ("--budget", COUNT, 1_000_000, "try N maps at most (1000000)"),
        ("--seed", SEED, 0, "whose maps are searched (0)"),
    ):
        parser.add_argument(option, type=kind, default=default, metavar="N", help=help_text)
    parser.add_argument("--number", type=NUMBER, default=0, metavar="K", help="where to begin (0)")
    parser.add_argument(
        "--sort",
        metavar="MEASURE",
        help='search the whole budget; print the least by "fairness", "count(Tree)" ..., and this',
    )
    parser.add_argument("--descending", action="store_true", help="with --sort: the most first")
    parser.add_argument(
        "--json",
        action="store_true",
        help="print one JSON object with numbers, tried, found, chance and interval instead",
    )


def _add_fight(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``fight``."""
    parser.add_argument("map", metavar="MAP", help="a battleland in any format that can be read")
    for option in ("--attacker", "--defender"):
        parser.add_argument(option, metavar="ARMY", help='such as "2 Lion+2 Ogre+Troll"')
    parser.add_argument(
        "--armies",
        metavar="standard|FILE",
        help="several pairs: ten usual legions, each against its like, or those of a file",
    )
    parser.add_argument(
        "--side",
        required=True,
        type=str.capitalize,
        choices=(*"012345", "Right", "Bottom", "Left"),
        help="where the attacker enters; in the game it is one of the three that have a name",
    )
    parser.add_argument(
        "--battles", type=COUNT, default=200, metavar="N", help="so many of each pair (200)"
    )
    parser.add_argument("--seed", type=SEED, default=0, metavar="N", help="of the dice (0)")
    parser.add_argument(
        "--game",
        metavar="DIR",
        help="the directory or the jar of Colossus: it fights itself (by Java, without a seed)",
    )
    parser.add_argument(
        "--json",
        action="store_true",
        help="print one JSON object, with --armies a list of them, instead",
    )


def _add_balance(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``balance``."""
    parser.add_argument("map", metavar="MAP", help="a battleland in any format that can be read")
    parser.add_argument(
        "--plains", action="store_true", help="bring them near the share on open ground, too"
    )
    parser.add_argument("--seed", type=SEED, default=0, metavar="N", help="of the search (0)")
    parser.add_argument("--out", metavar="FILE", help="write the map with the edits")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead")


def _add_check(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``check``."""
    parser.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help="a script, metadata, a map or a terrain set (.terrains)",
    )
    parser.add_argument(
        "--json",
        action="store_true",
        help="print a list of {path, line, column, severity, code, message, fix} instead",
    )


def _add_show(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``show``."""
    parser.add_argument(
        "file", metavar="FILE", help="a map in any format that can be read, or a period (.per)"
    )
    parser.add_argument(
        "--format",
        default="text",
        metavar="FORMAT",
        help=f"cells (a line each), notes, json, xml, {_SAVED} or text (text)",
    )
    parser.add_argument(
        "--trace", action="store_true", help="the words of a period as they are executed"
    )
    _add_terrains(parser, MAP_TERRAINS)
    _add_players(parser)


def _add_players(parser: argparse.ArgumentParser) -> None:
    """Add the option of verbs that can hide what players may not see."""
    parser.add_argument(
        "--players", action="store_true", help="without secret layers, notes and other things"
    )


def _add_convert(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``convert``, which has two forms."""
    parser.usage = (
        "randomizer convert IN OUT [--from FORMAT] [--to FORMAT] [--terrains FILE|NAME]\n"
        "                          [--players] [--dry-run]\n"
        "       randomizer convert --folder OUT --to FORMAT FILE|FOLDER ... [--overwrite]"
    )
    parser.add_argument("files", nargs="+", metavar="IN OUT", help="a map, and the file to write")
    parser.add_argument("--folder", metavar="OUT", help="the folder that converted maps come into")
    parser.add_argument(
        "--overwrite", action="store_true", help="replace what is in the folder already"
    )
    _add_players(parser)
    _add_terrains(parser, MAP_TERRAINS)
    parser.add_argument(
        "--dry-run", action="store_true", help="say what OUT would lose, and write nothing"
    )
    parser.add_argument(
        "--from",
        dest="from_format",
        metavar="FORMAT",
        help=f"the format of IN (xml, json, wxx, azgaar, {_SAVED}), else by its content or suffix",
    )
    parser.add_argument(
        "--to",
        dest="to_format",
        metavar="FORMAT",
        help=f"the format of OUT (xml, json, text, cells, notes, {_SAVED}), else by its suffix",
    )


def _add_diff(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``diff``, which git calls as well."""
    parser.usage = (
        "randomizer diff A B [--shown] [--format text|json] [--brief] [--path PATH]\n"
        "       randomizer diff [--exit-code] ...  (as git calls it)"
    )
    parser.add_argument(
        "files", nargs="+", metavar="A B", help="the maps; /dev/null for none on this side"
    )
    parser.add_argument(
        "--shown", action="store_true", help="only what the maps show, whatever their layers are"
    )
    parser.add_argument(
        "--format", choices=("text", "json"), default="text", help="json: one object (text)"
    )
    parser.add_argument("--brief", action="store_true", help="say only whether they differ")
    parser.add_argument(
        "--path",
        default="",
        metavar="PATH",
        help="where A and B belong: tilesets and pictures that they name are sought from there",
    )
    parser.add_argument(
        "--exit-code",
        action="store_true",
        help="called by git: say by the exit code, too, whether maps differ (its trustExitCode)",
    )


SUBJECTS = ("terrain", "hexside", "elevation", "way", "text")
"""What ``randomizer replace`` replaces, as ``geometry.replacement.Subject`` has it."""


def _add_replace(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``replace``: one for each subject, and what is done with it."""
    help_texts = {
        "text": "a part of the labels of things, and of titles",
        "hexside": "by its name; nothing behind the = takes it away",
        "way": "by its name; nothing behind the = takes it away",
    }
    parser.add_argument("files", nargs="+", metavar="FILE|FOLDER", help="the maps")
    for subject in SUBJECTS:
        parser.add_argument(
            f"--{subject}",
            action="append",
            default=[],
            metavar="OLD=NEW",
            help=help_texts.get(subject, "may be given several times"),
        )
    parser.add_argument(
        "--add", action="store_true", help="add a NEW that the map lacks, as a copy of OLD"
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="say what would be replaced; write nothing"
    )


def _add_export(parser: Parser) -> None:
    """Add the options of ``export``, which has two forms."""
    parser.usage = (
        "randomizer export MAP --game DIR --PLACE NAME [--PLACE NAME] [--for VERSION]\n"
        "                         [--players] [--yes]\n"
        "       randomizer export --take-back --game DIR [--yes]"
    )
    parser.takes_places = True
    parser.add_argument("map", nargs="?", metavar="MAP", help="a map in any format")
    parser.add_argument(
        "--game",
        required=True,
        metavar="DIR",
        help="the folder from which the game is started, its jar, or where its maps are",
    )
    parser.add_argument(
        "--for",
        dest="version",
        default="",
        metavar="VERSION",
        help="the version of the game; else the one that is installed",
    )
    parser.add_argument(
        "--take-back", action="store_true", help="undo the newest export into this game"
    )
    _add_players(parser)
    parser.add_argument("--yes", action="store_true", help="do it; else the plan is only printed")


def _add_vary(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``vary``."""
    parser.add_argument("map", metavar="MAP", help="a battleland or a free map")
    parser.add_argument("--out", metavar="FOLDER", required=True, help="for MAP-SEED-NUMBER.SUFFIX")
    parser.add_argument(
        "--number", type=WholeNumber(1, 50), default=20, metavar="N", help="how many (20)"
    )
    parser.add_argument(
        "--share",
        type=WholeNumber(1, 100),
        default=20,
        metavar="P",
        help="the percent of hexes that differ (20)",
    )
    parser.add_argument(
        "--fair",
        type=WholeNumber(0, 100),
        metavar="P",
        help="neither side of a battleland gets more than P percent by the ground (15)",
    )
    parser.add_argument("--seed", type=SEED, metavar="N", help="0 to 4294967295; else by chance")
    parser.add_argument("--format", metavar="FORMAT", help="else that of MAP")
    _add_lock(parser)


def _add_learn(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``learn``."""
    parser.add_argument("maps", nargs="+", metavar="FOLDER|MAP", help="the battlelands")
    parser.add_argument("--out", required=True, metavar="FILE", help="the script (.rnd) to write")
    parser.add_argument("--name", help="its title (the name of the folder)")
    parser.add_argument(
        "--closeness",
        type=_share,
        metavar="0..1",
        help="0 few lines, 1 a close fit; without it what the maps bear",
    )
    parser.add_argument("--seed", type=SEED, default=0, metavar="N", help="of the dice (0)")
    parser.add_argument(
        "--seconds",
        type=COUNT,
        default=60,
        metavar="N",
        help="after so much processor time the best so far is taken (60)",
    )


def _share(text: str) -> float:
    """Read a number from 0 to 1. Raises argparse's error."""
    try:
        share = float(text)
    except ValueError:
        share = -1.0  # refused below
    if not 0 <= share <= 1:
        raise argparse.ArgumentTypeError(f"a number from 0 to 1 is wanted, not “{text[:40]}”")
    return share


def _add_list(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``list``."""
    parser.add_argument("--json", action="store_true", help="print one JSON object instead")
