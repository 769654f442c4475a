"""The language of filters on maps, such as ``count(Tree) >= 2``.

``parser.read`` gives a condition that is evaluated for all maps of a batch at once.
"""
