"""What others' files become here: tables of their own."""
