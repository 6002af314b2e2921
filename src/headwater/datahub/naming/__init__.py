"""Names of a store's datasets and jobs as URNs, and back."""
