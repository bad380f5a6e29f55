"""rowtime in IPython and Jupyter: the display of results, and the magics that run SQL."""
