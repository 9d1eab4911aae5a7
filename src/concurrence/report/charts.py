"""What charts have in common."""

# Colours that colour-blind readers can tell apart (Okabe & Ito), dark enough for print.
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
VEGA_LITE = "https://vega.github.io/schema/vega-lite/v5.json"
