"""A ready model for disconer: nothing to import here, it is found by its name, `disconer predict craft …`."""

__version__ = "0.1.0"
