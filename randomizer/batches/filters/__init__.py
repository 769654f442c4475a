"""The language in which a person says which maps are wanted: ``count(Tree) >= 2``.

``parser.read`` gives a condition that is evaluated for all maps of a batch at once.
"""
