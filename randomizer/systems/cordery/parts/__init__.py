"""The seven parts of Cordery's page, and the search for routes that three of them share.

Each part is a function that builds its features while it is iterated over, and yields the number of
each step of the page ("1.2") that is finished. Nobody answers: the caller counts them as progress,
and can stop in between.
"""
