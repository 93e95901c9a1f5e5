"""The model: functions of a dictionary of parameters and a configuration."""
