// A media relay that exits immediately.

process.exit(1);
