"""Relations that the rows of a streaming query are joined with, and the versions in which it reads them."""
