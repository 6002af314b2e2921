"""Events as read: parsed, checked, typed."""
