"""Vector tiles of large data."""
