"""The vocabulary: values that cross room borders. Imports nothing of this package."""
