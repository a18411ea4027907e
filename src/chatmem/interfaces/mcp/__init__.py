"""Memory's tools and documents over the Model Context Protocol."""
