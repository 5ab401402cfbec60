"""What makes things of this repository; no part of the package."""
