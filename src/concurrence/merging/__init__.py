"""Labels to coarser categories."""
