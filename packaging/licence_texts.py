"""The licences of all that a bundle carries: ``packaging/licences/parts.json``, and their texts.

Needs the packages whose licences it tells, and no other.
"""

from __future__ import annotations

import json
import re
import sys
import sysconfig
from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "packaging" / "licences"
TEXT = re.compile(r"licen[cs]e|copying|notice", re.IGNORECASE)

HEAD = """\
Battlelands Builder

Copyright 2026 the Battlelands Builder developers

This program is free software: you can redistribute it and/or modify it under the terms of the GNU
General Public License as published by the Free Software Foundation, either version 3 of the
License, or (at your option) any later version. It comes without any warranty. On Debian the text
is in /usr/share/common-licenses/GPL-3, elsewhere in the file LICENSE.

It carries parts with licences of their own, whose texts are below. The notices of libraries that a
bundle has from the system on which it was made lie in the bundle's folder "licences".

"""


class Part(NamedTuple):
    """Something with one licence (an SPDX expression).

    ``package`` is that of Python whose metadata hold the text; else ``text`` is a file of
    ``packaging/licences``, "LICENSE", or "python" for what the interpreter came with.
    """

    part: str
    licence: str
    package: str = ""
    text: str = ""

    def texts(self) -> Iterator[str]:
        """Yield the texts of the licence."""
        if self.text == "python":
            folders = (sysconfig.get_path("stdlib"), sys.base_prefix)  # the latter on Windows
            files = [Path(folder) / "LICENSE.txt" for folder in folders]
            yield next(filter(Path.is_file, files), files[0]).read_text("utf-8")
        elif self.text:
            folder = ROOT if self.text == "LICENSE" else FOLDER
            yield (folder / self.text).read_text("utf-8")
        else:
            for file in distribution(self.package).files or ():
                if TEXT.search(file.name):
                    yield file.read_text("utf-8")


def parts() -> list[Part]:
    """Return all parts in the order of the table."""
    rows = json.loads((FOLDER / "parts.json").read_text("utf-8"))
    return [Part(**row) for row in rows]


def notices() -> str:
    """Return the table of all parts, and every text but the program's own once."""
    rows = parts()
    table = "".join(f"{row.part}: {row.licence}\n" for row in rows)
    texts: dict[str, list[str]] = {}
    for row in rows[1:]:
        for text in row.texts():
            texts.setdefault(text, []).append(row.part)
    sections = [
        f"\n==== {'; '.join(dict.fromkeys(names))} ====\n\n{text}" for text, names in texts.items()
    ]
    return f"{HEAD}{table}{''.join(sections)}"
