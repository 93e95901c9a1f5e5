"""A published model that the course talks to: fetched on demand, never in the repository."""
