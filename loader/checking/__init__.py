"""Checking files on demand, without a service: what `check`, editors and agents ask for."""
