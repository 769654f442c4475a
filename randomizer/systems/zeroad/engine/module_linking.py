"""Links the modules of a script: each becomes a function for V8, which runs here without modules.

    source = head_of(module, modules, circular) + module.body + TAIL

The function is strict and has the parameters ``$exports``, ``$from`` and ``$set``, which prelude.js
provides. The *head* is its beginning, in one line, so that faults in the body keep their lines. It
does what the ``import`` and ``export`` statements did, which the body lacks. For ::

    import { a } from "b.js";
    export let c = a;

it has ``$from.give($exports, "c", () => c)``, since an exported name is a getter of the variable,
and ``const a = $from.take("b.js", "a")``. A name whose value is not there yet, or will change, is
imported as a variable that is set again. These are the functions of prelude.js::

    $from("b.js")                       runs a module, if it has not run yet; returns its exports
    $from.give($exports, "c", getter)   exports a name, whose value the getter returns
    $from.pass($exports, "b.js")        exports all that another module exports
    $from.take("b.js", "a")             returns the present value of a name of another module
    $from.late("b.js", setter)          calls the setter now, and whenever the module may have
                                        changed a variable
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from randomizer.systems.zeroad.engine.faults import ScriptFailedError
from randomizer.systems.zeroad.engine.module_parser import (
    ALL,
    DEFAULT,
    Module,
    module_variable,
)

TAIL = "\n})"
"""The end of a module's function, behind its body."""


def head_of(module: Module, modules: Mapping[str, Module], circular: Sequence[str]) -> str:
    """Return the beginning of a module's function, one line that its body follows.

    ``modules`` are all modules by specifier. ``circular`` are the specifiers of imported modules
    that import this one in turn: at the time of the import they have no values yet.
    """
    head = ['(function ($exports, $from, $set) { "use strict"; ']
    # Exports come first: ``$from`` runs an imported module, which may import this one in turn.
    for name, value in module.exports.items():
        head.append(f"$from.give($exports, {json.dumps(name)}, () => {value}); ")
    for specifier in module.passed_on:
        head.append(f"$from.pass($exports, {json.dumps(specifier)}); ")
    for index, (specifier, imported_names) in enumerate(module.imports.items()):
        variable = module_variable(index)
        quoted = json.dumps(specifier)
        head.append(f"const {variable} = $from({quoted}); ")
        for source_name, name in imported_names:
            if source_name == ALL:
                head.append(f"const {name} = {variable}; ")
                continue
            # An imported name is a constant, unless it can change or has no value yet.
            value = f"$from.take({quoted}, {json.dumps(source_name)})"
            changing_specifier = _changing_module(modules, specifier, source_name)
            if changing_specifier is None and specifier in circular:
                changing_specifier = specifier
            if changing_specifier is not None:
                setter = f"() => {{ {name} = {value}; }}"
                head.append(f"let {name}; $from.late({json.dumps(changing_specifier)}, {setter}); ")
            else:
                head.append(f"const {name} = {value}; ")
    return "".join(head)


def _changing_module(modules: Mapping[str, Module], specifier: str, name: str) -> str | None:
    """Return the specifier of the module that changes an imported variable; None for a constant.

    It can be another one than ``specifier``, the module that it is imported from: modules pass on
    what they import themselves.
    """
    visited = {(specifier, name)}
    queue = [(specifier, name)]
    while queue:
        source_specifier, source_name = queue.pop()
        source = modules.get(source_specifier)
        if source is None:
            continue
        if source.exports.get(source_name) in source.changing_names:
            return source_specifier
        origins: list[tuple[str, str]] = []
        if source_name in source.origins:
            origins = [source.origins[source_name]]
        elif source_name not in source.exports:
            origins = [(passed_on, source_name) for passed_on in source.passed_on]
        queue += [origin for origin in origins if origin not in visited]
        visited.update(origins)
    return None


def check_names(modules: Mapping[str, Module]) -> None:
    """Raise ScriptFailedError for a name that a module imports from another that lacks it."""
    for module in modules.values():
        for specifier, imported_names in module.imports.items():
            source_names = {imported.source_name for imported in imported_names} - {ALL}
            missing_names = source_names - _exported_names(modules, specifier)
            if missing_names:
                message = f"SyntaxError: the module {specifier} exports no {min(missing_names)}"
                raise ScriptFailedError("script-error", message, module.first_uses[specifier])


def _exported_names(modules: Mapping[str, Module], specifier: str) -> set[str]:
    """Return the names that a module exports, also those passed on from other modules.

    JavaScript does not pass on the default export.
    """
    # Modules may pass on each other's exports in a circle.
    names = set(modules[specifier].exports)
    visited = {specifier}
    queue = [specifier]
    while queue:
        for source in modules[queue.pop()].passed_on:
            if source not in visited:
                visited.add(source)
                queue.append(source)
                names.update(modules[source].exports.keys() - {DEFAULT})
    return names


def circular_imports(modules: Mapping[str, Module]) -> dict[str, tuple[str, ...]]:
    """Return by specifier those modules that a module imports and that import it in turn.

    They need not do so directly.
    """
    reachable = {specifier: _imported_from(modules, specifier) for specifier in modules}
    circular = {}
    for specifier, module in modules.items():
        circular[specifier] = tuple(
            imported for imported in module.specifiers if specifier in reachable.get(imported, ())
        )
    return circular


def _imported_from(modules: Mapping[str, Module], specifier: str) -> set[str]:
    """Return the specifiers of all modules that a module imports, directly or by others."""
    specifiers = set[str]()
    queue = [specifier]
    while queue:
        for imported in modules[queue.pop()].specifiers:
            if imported not in specifiers and imported in modules:
                specifiers.add(imported)
                queue.append(imported)
    return specifiers
