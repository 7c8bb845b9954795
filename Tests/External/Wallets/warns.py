"""The wallet of docs/your-wallet, with a view that warns and names the requester."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "docs" / "your-wallet"))
import wallet  # noqa: E402

genuine = wallet.show


def show(message):
    answer = genuine(message)
    answer["shows"].update({"requester": "Shady", "warning": "an unknown shop"})
    return answer


wallet.show = show
wallet.main()
