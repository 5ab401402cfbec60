"""Numbers as people write them."""


def count_of(number: int, noun: str, plural: str | None = None) -> str:
    """Say how many there are of something.

    >>> count_of(1, "mention"), count_of(1200, "mention"), count_of(0, "sentence has", "sentences have")
    ('1 mention', '1,200 mentions', '0 sentences have')
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def format_duration(seconds: float) -> str:
    """Say how long something takes, no finer than anybody wants to know.

    >>> [format_duration(seconds) for seconds in (8, 95, 3700)]
    ['8 s', '2 min', '1 h 2 min']
    """
    if round(seconds) < 60:
        return f"{seconds:.0f} s"
    hours, minutes = divmod(round(seconds / 60), 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"
