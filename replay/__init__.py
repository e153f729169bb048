"""Replay: sessions, dice, history, verdicts, statistics, and the command line."""
