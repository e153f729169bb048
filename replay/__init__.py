"""The table: sessions, dice, history, verdicts, odds, statistics, and the command line."""
