"""The rules: pure; no clock, no chance, no disk."""
