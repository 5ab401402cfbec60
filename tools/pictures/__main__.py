"""Write all pictures into `docs/images`."""

from pathlib import Path

from tools.pictures.gallery import pictures

FOLDER = Path(__file__).parents[2] / "docs" / "images"

for name, picture in pictures():
    (FOLDER / name).write_text(picture, encoding="utf-8")
