"""Systems × seeds × corpora: many training runs from one file, and the report on them."""
