"""Files of word pairs and of samples of them."""
