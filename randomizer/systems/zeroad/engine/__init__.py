"""The engine of 0 A.D.'s random map scripts: runs them in a child process with limits.

Generators call ``script_run.run_script``; what the child imports must stay small and without Qt.
"""
