"""Speed, memory and coverage, measured as ratios against peers and floors."""
