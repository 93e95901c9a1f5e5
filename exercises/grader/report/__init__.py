"""Write tables, pages and exports."""
