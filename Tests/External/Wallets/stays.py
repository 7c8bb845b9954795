"""The wallet of docs/your-wallet, which goes on after the end of its input.

    stays.py FILE
"""

import os
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "docs" / "your-wallet"))
import wallet  # noqa: E402

with open(sys.argv[1], "a") as pids:
    pids.write(f"{os.getpid()}\n")
wallet.main()
time.sleep(3600)
