"""What the reference says of the values of attributes."""

from typing import Any

from griffe import Attribute, Expr, ExprAttribute, Extension


class Values(Extension):
    """Leaves out what is no value but a piece of program, such as `field(repr=False)` or a table over many lines."""

    def on_attribute(self, *, attr: Attribute, **_: Any) -> None:
        """Keep plain values and names like `Split.AUTO`; a class' signature has been made by now, and stays whole."""
        if isinstance(attr.value, Expr) and not isinstance(attr.value, ExprAttribute):
            attr.value = None
