"""Verifying: whether a log is whole, lawful and fair; three questions, answered apart."""
