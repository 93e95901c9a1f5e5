"""The formulas: functions over numpy or torch arrays, without state."""
