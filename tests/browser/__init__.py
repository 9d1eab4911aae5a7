"""Tests that drive a real Chromium. A package, so that one browser serves them all and is closed after them."""
