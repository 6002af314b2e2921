"""The routes of Marquez's API: every module here has some, in its `router`."""
