"""The terrain types of a period: their colours and meanings, where worlds have them, and why.

Called by the system, by generators and by mapfiles; nothing here changes a map.
"""
