"""The systems that the paper compares Mac with, a file each; schemes/ has their labels and decoders."""
