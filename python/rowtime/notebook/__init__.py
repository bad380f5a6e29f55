"""rowtime in IPython and Jupyter: displays results, and defines the magics that run SQL."""
