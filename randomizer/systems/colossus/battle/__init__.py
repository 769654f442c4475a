"""Battles of two legions on a battleland by the rules of Titan: the rules, an opponent, results.

Reached by the command line and the desk; knows battlelands and creatures, no generators.
"""
