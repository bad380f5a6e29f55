"""What becomes of the rows and data of an object when the catalog changes."""
