"""The chat endpoint of OpenAI's API, with memory added to each request."""
