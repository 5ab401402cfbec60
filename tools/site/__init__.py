"""The documentation as a site: the pages of docs/, their parts that come from the code, and what they link to."""
