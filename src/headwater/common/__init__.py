"""What several rooms share and none of them owns: column paths, addresses, HTTP, waiting, processes."""
