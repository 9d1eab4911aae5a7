"""The leader's pages of a campaign, each as a page for people and as data."""
