"""What every room may use, and what uses none of them."""
