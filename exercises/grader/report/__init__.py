"""What goes out: tables, pages and exports."""
