"""What all tests share."""

import os


def pytest_xdist_auto_num_workers() -> int:
    """Three workers for two cores: many tests wait, for processes that start, servers, and clocks."""
    return max(2, (os.cpu_count() or 1) * 3 // 2)
