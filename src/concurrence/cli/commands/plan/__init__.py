"""Plan how many judgements you need."""
