"""The model as functions of a dictionary of parameters and a configuration."""
