"""Whose a notebook is."""
