"""The period language of Xconq: its words, reading a period, and help for who writes one.

What rolls, draws or checks worlds reads ``Period``, made by ``reading.read_period``.
"""
