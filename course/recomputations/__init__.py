"""Named functions that the ledger's file may call, one file a chapter, and nothing else."""
