"""The page that runs: its scripts, the Python behind them, and what the build makes for both."""
