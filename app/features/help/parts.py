"""What this program consists of: its build, and the packages it needs with their licences.

Needs no Qt: ``packaging/battlelands.spec`` puts the metadata of these packages into the bundle.
"""

from __future__ import annotations

import json
import platform
import re
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from importlib.resources import files
from typing import Any

PROJECT = "battlelands-builder"

BUILD = "build.json"
"""A file beside ``app`` in the bundle: ``commit`` and ``date`` of the build, and the ``parts``
that no metadata tell of, as ``[name, version, licence]``."""


def needed_packages() -> list[Distribution]:
    """Return the project's own package, and those installed that it needs, in turn."""
    packages: dict[str, Distribution] = {}
    names = [PROJECT]
    while names:
        name = names.pop()
        try:
            package = distribution(name)
        except PackageNotFoundError:  # of another system, or a group that was not installed
            continue
        if packages.setdefault(name, package) is package:
            names += filter(None, map(required_package, package.requires or ()))
    return list(packages.values())


def required_package(requirement: str) -> str:
    """Return the package that a requirement (PEP 508) names; "" if only developers need it."""
    name, _, marker = requirement.partition(";")
    if "extra" in marker and not re.search(r"extra == .scripts.", marker):
        return ""
    match = re.match(r"[\w.-]+", name)
    if match:
        return re.sub(r"[-_.]+", "-", match[0]).lower()
    return ""


def licence_of(package: Distribution) -> str:
    """Return the licence that a package's metadata name; "" if they name none."""
    fields = package.metadata
    classifiers = [
        value.rpartition(" :: ")[2]
        for value in fields.get_all("Classifier", [])
        if value.startswith("License ::")
    ]
    stated = [*fields.get_all("License-Expression", []), *fields.get_all("License", [])]
    return next((text.partition("\n")[0] for text in stated if text), ", ".join(classifiers))


def build_record() -> dict[str, Any]:
    """Return what ``BUILD`` holds, empty outside the bundle."""
    try:
        text = files("app").joinpath(BUILD).read_text("utf-8")
    except FileNotFoundError:
        return {}
    record: dict[str, Any] = json.loads(text)
    return record


def own_version() -> str:
    """Return the program's version with its build, as far as there are any."""
    try:
        version = distribution(PROJECT).version
    except PackageNotFoundError:
        return "run from the source"
    match build_record():
        case {"commit": str(commit), "date": str(date)} if commit:
            return f"{version}, built from {commit} of {date}"
    return version


def parts() -> list[tuple[str, str, str]]:
    """Return name, version and licence of packages, Python, and what else a bundle has."""
    rows = [
        (needed_package.name, needed_package.version, licence_of(needed_package))
        for needed_package in needed_packages()
    ]
    rows.append(("Python", platform.python_version(), "PSF-2.0"))
    rows += [(name, version, licence) for name, version, licence in build_record().get("parts", ())]
    return sorted(rows, key=lambda row: row[0].lower())
