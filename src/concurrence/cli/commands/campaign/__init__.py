"""Run annotation campaigns in the browser.

Create a campaign, send each coder their link, run `concur serve`, follow progress and agreement on the
leader's pages, and export the labels.
"""
