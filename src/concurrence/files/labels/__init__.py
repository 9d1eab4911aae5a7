"""Files of labels: tables, exports of annotation tools, logs of judges."""
