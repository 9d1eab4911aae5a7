"""What tests, benchmarks and documentation share: cases, twins, servers and comparisons."""
