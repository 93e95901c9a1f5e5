"""The graded exercises: their source, and what a student gets of it."""
