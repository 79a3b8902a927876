"""Data and models of the book's experiments: texts, recorded runs, a trained model, numbers that others printed."""
