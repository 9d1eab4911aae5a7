"""Rankings and judgements -> n-best precision, confidence regions, tests between measures."""
