"""What training sentences taught a small model: leave some out, train again, and compare."""
