"""The wall around what comes from elsewhere: an origin of its own, a bridge with what was approved, nothing else."""
