"""rowtime in IPython and Jupyter: results that show themselves, and the magics that run SQL."""
