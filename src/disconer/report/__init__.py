"""Tables, plots and the error browser of a study."""
