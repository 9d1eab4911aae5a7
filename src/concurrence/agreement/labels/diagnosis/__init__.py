"""Why agreement is as it is: categories, confusions, habits, verbal benchmarks, and the sentences."""
