"""Experiments that train several models and keep what they measured, seed by seed."""
