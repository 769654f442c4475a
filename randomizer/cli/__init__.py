"""The verbs of the command line ``randomizer``, a file each; ``arguments`` defines their options.

Only ``randomizer.__main__`` calls it.
"""
