// A media relay that ends at once.

process.exit(1);
