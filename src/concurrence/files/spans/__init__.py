"""Files of marked stretches: tables, BIO columns, brat folders, exports of annotation tools."""
