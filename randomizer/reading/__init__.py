"""What reads files that are not this program's own: bytes, zip files and XML, within limits."""
