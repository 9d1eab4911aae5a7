"""Between the network and an application: connections, limits, the guard, and uvicorn."""
