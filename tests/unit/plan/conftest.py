from __future__ import annotations

import sys
from pathlib import Path

# pytest imports test files by path here; what they share has to be found by name
sys.path.insert(0, str(Path(__file__).parent))
