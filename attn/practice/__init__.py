"""What a reader practises, in NumPy alone: worksheets, programs to put in order, reports, cards, known mistakes."""
