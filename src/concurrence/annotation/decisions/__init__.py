"""What coders decide: the event log, the answers that stand, rulings, comments, imports and exports."""
