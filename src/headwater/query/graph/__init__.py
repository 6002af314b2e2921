"""The graph that questions walk: fields, edges, one step at a time, within an interval of time."""
