"""Named functions that the ledger's file may call, one file per chapter, and nothing else."""
