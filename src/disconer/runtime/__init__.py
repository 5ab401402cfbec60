"""What runs a model, torch or onnxruntime, batch by batch; and the export from one to the other."""
