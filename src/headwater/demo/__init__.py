"""The demo: a food-delivery warehouse over three business days, as real PySpark jobs over generated files.

- `data`: the files that the sources deliver
- `jobs`: the warehouse's jobs
- `calendar`: three days within a minute
- `play`: runs it all, then asks the store about a few columns
"""
