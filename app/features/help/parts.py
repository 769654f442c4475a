"""The parts of this program: its build, and the packages that it needs, with their licences.

The dialog *About* shows them. This module needs no Qt, since ``packaging/battlelands.spec`` uses it
to put the metadata of these packages into the bundle.
"""

from __future__ import annotations

import json
import platform
import re
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from importlib.resources import files
from typing import Any, NamedTuple

PROJECT = "battlelands-builder"
"""The name of the project's own package."""

BUILD = "build.json"
"""The name of a file in the package ``app`` of a bundle, which describes the build.

It has the ``commit`` and ``date`` of the build, and the ``parts`` of the bundle that no package has
metadata of, as ``[name, version, licence]``.
"""


def needed_packages() -> list[Distribution]:
    """Return the project's own package, and all installed ones that it needs, also indirectly."""
    # A walk along the requirements, in which every package is visited once.
    packages: dict[str, Distribution] = {}
    names_to_visit = [PROJECT]
    while names_to_visit:
        name = names_to_visit.pop()
        if name in packages:
            continue
        try:
            package = distribution(name)
        except PackageNotFoundError:
            # Only another operating system needs it, or an extra that is not installed.
            continue
        packages[name] = package
        if package.requires is None:
            continue
        for requirement in package.requires:
            required_name = required_package(requirement)
            if required_name:
                names_to_visit.append(required_name)
    return list(packages.values())


def required_package(requirement: str) -> str:
    """Return the name of the package of a requirement (PEP 508).

    "" if only developers need it, or if the requirement begins with no name.
    "Some_Package>=2; extra == 'scripts'" gives "some-package": the extra of scripts is that of
    users, all others are for developers.
    """
    name_and_version, _semicolon, marker = requirement.partition(";")
    if "extra" in marker and not re.search(r"""extra == ["']scripts["']""", marker):
        return ""
    match = re.match(r"[\w.-]+", name_and_version)
    if match is None:
        return ""
    # The normal form of names, as registries compare them.
    return re.sub(r"[-_.]+", "-", match[0]).lower()


def licence_of(package: Distribution) -> str:
    """Return the licence of a package by its metadata; "" if they name none."""
    metadata = package.metadata
    licences: list[str] = [
        *metadata.get_all("License-Expression", []),
        *metadata.get_all("License", []),
    ]
    for text in licences:
        if text:
            first_line, _line_end, _whole_licence = text.partition("\n")
            return first_line

    # Older packages have it as a classifier: "License :: OSI Approved :: MIT License".
    names = []
    for classifier in metadata.get_all("Classifier", []):
        if classifier.startswith("License ::"):
            names.append(classifier.rpartition(" :: ")[2])
    return ", ".join(names)


def build_record() -> dict[str, Any]:
    """Return the content of ``BUILD``; {} outside a bundle."""
    try:
        text = files("app").joinpath(BUILD).read_text("utf-8")
    except FileNotFoundError:
        return {}
    record: dict[str, Any] = json.loads(text)
    return record


def own_version() -> str:
    """Return the program's version, in a bundle with the build: "1.2, built from 3f2a of ..."."""
    try:
        version = distribution(PROJECT).version
    except PackageNotFoundError:
        return "run from the source"
    record = build_record()
    commit = record.get("commit")
    if not commit:
        return version
    return f"{version}, built from {commit} of {record['date']}"


class Part(NamedTuple):
    """A package or a program with a licence of its own."""

    name: str

    version: str

    licence: str
    """The name of its licence; "" if it is not known."""


def parts() -> list[Part]:
    """Return the parts of the program, sorted by name, whatever the capitals.

    They are the needed packages, Python, and those that the record of the build lists.
    """
    result = []
    for package in needed_packages():
        result.append(Part(package.name, package.version, licence_of(package)))
    result.append(Part("Python", platform.python_version(), "PSF-2.0"))
    # The program that makes bundles has written the record: it is not checked.
    for name, version, licence in build_record().get("parts", ()):
        result.append(Part(name, version, licence))
    return sorted(result, key=lambda part: part.name.lower())
