"""The verbs of the command line ``randomizer``, a file each; ``arguments`` says what they take.

Only ``randomizer.__main__`` calls it.
"""
