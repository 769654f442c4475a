"""Lay what a desktop needs of the program: ``packaging/make_desktop.py FOLDER [--pictures URL]``.

FOLDER gets what a package installs into ``/usr``: desktop entry, file kinds, metainfo, thumbnailer,
icons, manual pages, completions for shells, and what Debian asks of a package's papers. What is
written by hand lies as it is laid in ``packaging/desktop``; the rest is made of the program's own
icon and parsers, so run it with the environment's interpreter. With ``--pictures``, where the web
has ``docs/manual/pictures``, the metainfo has screenshots.
"""

from __future__ import annotations

import argparse
import gzip
import os
import re
import shutil
import sys
import tomllib
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "packaging")]
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["COLUMNS"] = "80"  # of the usage in manual pages

import shtab  # noqa: E402
from licence_texts import notices  # noqa: E402
from PySide6.QtCore import QBuffer, Qt  # noqa: E402
from PySide6.QtGui import QImage, QPainter  # noqa: E402
from PySide6.QtSvg import QSvgRenderer  # noqa: E402

from app.__main__ import VERBS  # noqa: E402
from randomizer.cli.arguments import Parser, build_parser  # noqa: E402
from randomizer.cli.help_texts import EXIT_CODES  # noqa: E402

NAME = "battlelands-builder"
SOURCE = ROOT / "packaging" / "desktop"
ICON = ROOT / "app" / "resources" / "icons" / "app.svg"
ICON_SIZES = (16, 22, 24, 32, 48, 64, 96, 128, 256, 512)

SCREENSHOTS = {
    "desk": "A map of mountains that a script has rolled",
    "world": "A world of Xconq and the chart of its terrains",
    "table": "A wargamer's table, thrown by dice",
    "map-0ad": "A random map of 0 A.D.",
}
"""Pictures of the manual (``draw_manual.py``) and what they show."""

COMPLETIONS = {
    "bash": "bash-completion/completions/{}",
    "zsh": "zsh/vendor-completions/_{}",
    "fish": "fish/vendor_completions.d/{}.fish",
}
FILES = {"MAP", "FILE", "FOLDER", "PATH", "OUT", "SCRIPT", "PICTURE", "WHAT", "DIR"}
"""Words for what a shell completes as a file."""


def main() -> int:
    """Lay everything; 0."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="becomes /usr; what is there may be replaced")
    parser.add_argument("--pictures", metavar="URL", help="where the web has the manual's pictures")
    options = parser.parse_args()
    lay(options.folder, options.pictures)
    return 0


def lay(folder: Path, pictures: str | None = None) -> None:
    """Write the files below ``folder``/share."""
    share = folder / "share"
    shutil.copytree(SOURCE / "share", share, dirs_exist_ok=True)
    for file, data in draw_icons():
        write(share / "icons" / "hicolor" / file, data)
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    for each in (build_parser(), desk_parser()):
        page = manual_page(each, f"{NAME} {version}")
        write(share / "man" / "man1" / f"{each.prog}.1.gz", compress(page))
        complete_files(each)
        for shell, file in COMPLETIONS.items():
            write(share / file.format(each.prog), completions(each, shell).encode())
    papers = share / "doc" / NAME
    write(papers / "changelog.gz", compress((papers / "changelog").read_text("utf-8")))
    (papers / "changelog").unlink()
    write(papers / "copyright", notices().encode())
    if pictures is not None:
        metainfo = share / "metainfo" / f"{NAME}.metainfo.xml"
        write(metainfo, with_screenshots(metainfo.read_text("utf-8"), pictures))


def write(path: Path, data: bytes) -> None:
    """Write a file, in a folder that need not be there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def compress(text: str) -> bytes:
    """Return the text as gzip packs it best, the same every time."""
    return gzip.compress(text.encode(), 9, mtime=0)


def draw_icons() -> Iterator[tuple[str, bytes]]:
    """Yield the file names, in a theme of icons, and the files of the program's icon."""
    yield f"scalable/apps/{NAME}.svg", ICON.read_bytes()
    for size in ICON_SIZES:
        yield f"{size}x{size}/apps/{NAME}.png", icon_png(size)


def icon_png(size: int) -> bytes:
    """Return the program's icon as a PNG of ``size`` x ``size`` pixels."""
    image = QImage(size, size, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    QSvgRenderer(str(ICON)).render(painter)
    painter.end()
    buffer = QBuffer()
    image.save(buffer, "PNG")
    return bytes(buffer.data())


def with_screenshots(metainfo: str, url: str) -> bytes:
    """Return the metainfo with screenshots whose files are below ``url``."""
    parser = ElementTree.XMLParser(target=ElementTree.TreeBuilder(insert_comments=True))
    component = ElementTree.fromstring(metainfo, parser)
    screenshots = ElementTree.SubElement(component, "screenshots")
    for name, caption in SCREENSHOTS.items():
        size = QImage(str(ROOT / "docs" / "manual" / "pictures" / f"{name}.png")).size()
        screenshot = ElementTree.SubElement(screenshots, "screenshot")
        ElementTree.SubElement(screenshot, "caption").text = caption
        size_attributes = {"width": str(size.width()), "height": str(size.height())}
        image = ElementTree.SubElement(screenshot, "image", type="source", **size_attributes)
        image.text = f"{url.rstrip('/')}/{name}.png"
    screenshots[0].set("type", "default")
    ElementTree.indent(component)
    return ElementTree.tostring(component, "utf-8", xml_declaration=True) + b"\n"


# --- the command line -----------------------------------------------------------------------------


def desk_parser() -> argparse.ArgumentParser:
    """Return a parser of all that ``battlelands`` takes; the desk itself reads its files alone."""
    parser = Parser(
        "battlelands",
        description="Paint, roll, edit and export battle maps. The desk opens with the maps and "
        "scripts that are named; what needs no window is a verb.",
        usage="battlelands [FILE ...]\n       battlelands VERB ...",
    )
    verbs = parser.add_subparsers(metavar="FILE|VERB", title="verbs")
    for name, text in VERBS.items():
        verb = import_module(f"app.cli.{name}").build_parser()
        verbs.add_parser(
            name,
            help=text,
            parents=[verb],
            add_help=False,
            **{key: getattr(verb, key) for key in ("prog", "usage", "description", "epilog")},
        )
    return parser


def verbs_of(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """Return the parsers of a parser's verbs by name."""
    return {
        name: verb
        for action in parser._actions
        if isinstance(action, argparse._SubParsersAction)
        for name, verb in action.choices.items()
    }


def complete_files(parser: argparse.ArgumentParser) -> None:
    """Let shells complete the names of files where a parser, or a verb of it, takes one."""
    for action in parser._actions:
        # A verb's name goes before: see ``completions``.
        is_verb = isinstance(action, argparse._SubParsersAction)
        if not is_verb and FILES.intersection(re.split(r"\W+", str(action.metavar))):
            action.complete = shtab.FILE  # type: ignore[attr-defined]
    for verb in verbs_of(parser).values():
        complete_files(verb)


def completions(parser: argparse.ArgumentParser, shell: str) -> str:
    """Return the completions of a program for ``shell``: files, too, where no verb fits."""
    text = shtab.complete(parser, shell)
    if shell == "bash":
        return text.replace("complete -o bashdefault", "complete -o bashdefault -o default") + "\n"
    if shell == "fish":
        return re.sub(r"^complete -c \w+ -f$", "", text, flags=re.MULTILINE)
    return re.sub(r"(_describe '\w+ commands' _commands)", r"\1 || _files", text)


def manual_page(parser: argparse.ArgumentParser, version: str) -> str:
    """Return the manual page of a program, as troff's macros "man" read it."""
    lines = [
        f'.TH {parser.prog.upper()} 1 "" "{version}" "User Commands"',
        ".SH NAME",
        f"{parser.prog} \\- {troff(parser.description or '').partition('.')[0]}",
        ".SH SYNOPSIS",
        *usage_of(parser),
        ".SH DESCRIPTION",
        troff(parser.description or ""),
        *options_of(parser, ".SH"),
    ]
    for verb in verbs_of(parser).values():
        lines += [
            f".SH {verb.prog.upper()}",
            *usage_of(verb),
            ".PP",
            troff(verb.description or ""),
            *options_of(verb, ".SS"),
            *verbatim((verb.epilog or "").replace(EXIT_CODES, "")),
        ]
    return "\n".join([*lines, ".SH EXIT STATUS", *verbatim(EXIT_CODES)]) + "\n"


def usage_of(parser: argparse.ArgumentParser) -> list[str]:
    """Return the usage of a parser without that word, and as far to the left."""
    return verbatim(re.sub(r"^(usage: | {7})", "", parser.format_usage(), flags=re.MULTILINE))


def options_of(parser: argparse.ArgumentParser, heading: str) -> Iterator[str]:
    """Yield the options and arguments of a parser, each group under its heading."""
    formatter = parser._get_formatter()
    for group in parser._action_groups:
        actions = [
            group_action
            for group_action in group._group_actions
            if group_action.help != argparse.SUPPRESS
        ]
        actions = [each for each in actions if each.help or verbs_of(parser)]
        if not actions:
            continue
        title = troff(group.title or "")
        yield f'{heading} "{title.upper() if heading == ".SH" else title}"'
        yield from ([troff(group.description)] if group.description else ())
        for action in actions:
            rows = list(formatter._iter_indented_subactions(action)) or [action]
            for row in rows:
                invocation = troff(formatter._format_action_invocation(row))
                yield from (".TP", f".B {invocation}", troff(formatter._expand_help(row)))


def verbatim(text: str) -> list[str]:
    """Return lines that troff leaves as they are."""
    lines = [troff(line) for line in text.rstrip().split("\n")]
    return [".PP", ".nf", *lines, ".fi"] if text else []


def troff(text: str) -> str:
    """Return the text without anything that troff would take for its own."""
    text = text.strip("\n").replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^(?=[.'])", r"\\&", text, flags=re.MULTILINE)


if __name__ == "__main__":
    sys.exit(main())
