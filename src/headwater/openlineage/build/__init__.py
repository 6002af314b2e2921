"""Events built from what capture found."""
