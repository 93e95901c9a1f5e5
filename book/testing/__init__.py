"""What `make test` and `make portable` run, and on what."""
