"""Maps as picture files and on paper: true sizes, posters, PNG, SVG, PDF, printers.

The features ``pictures`` and ``app.cli`` call it; it needs no window.
"""
