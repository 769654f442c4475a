"""Tests of everything that is installed against the protocol of extensions (docs/extending.md).

``pytest --pyargs randomizer.conformance`` runs them, here and in any package that brings systems,
generators, script hosts, formats, games, measures or features; nothing else imports this room.
"""
