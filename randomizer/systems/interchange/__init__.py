"""Maps of other programs, a module a format: free maps, and 0 A.D.'s scenarios as maps of 0 A.D.

The catalogue names ``formats``; the room ``foreign`` has what the modules
share. Nobody else imports them.
"""
