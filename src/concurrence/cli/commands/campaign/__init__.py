"""Let coders judge in the browser; nothing is ever lost.

Make a campaign, send everybody their link, let `concur serve` run, watch progress and agreement on the
leader's page, export.
"""
