"""What a prompt looks like: sections, budgets, fences, personas; values in, values out."""
