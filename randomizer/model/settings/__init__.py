"""Settings: what a person can choose, described for forms, the command line and metadata files."""
