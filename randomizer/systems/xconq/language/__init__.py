"""What helps the writer of a period: completion, hover, names, the values read, and the language.

Called by the script host and, for its texts, by the manual; a map is rolled without it.
"""
