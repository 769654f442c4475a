"""The verbs of the command line, a file each; ``arguments`` says what they take."""
