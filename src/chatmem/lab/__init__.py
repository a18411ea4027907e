"""What measures and shows the product: benchmark, evaluation and demo.

Loaded only when `chatmem bench`, `eval`, `demo` or `context --receipt` runs, by scripts in
`bench/`, and by the page for the demo's conversation.
"""
