"""Experiments that train several models and keep what they measured, with three seeds each."""
