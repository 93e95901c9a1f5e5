"""The formulas are stateless functions of numpy or torch arrays."""
