"""Tables of any format: text, spreadsheets, Parquet, in one piece or in pieces."""
