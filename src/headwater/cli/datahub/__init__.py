"""`headwater datahub`."""
