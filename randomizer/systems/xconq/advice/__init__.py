"""What the document advises about periods and maps, checked: hints and warnings, never errors.

The script host asks for ``period_advice.period_advice``, the system for ``map_advice.map_advice``.
"""
