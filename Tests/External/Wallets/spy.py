"""The wallet of docs/your-wallet, which writes what it gets and its private keys into a folder, and secrets to its log.

    spy.py FOLDER
"""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "docs" / "your-wallet"))
import wallet  # noqa: E402

FOLDER = pathlib.Path(sys.argv[1])


def main():
    FOLDER.mkdir(exist_ok=True)
    with open(FOLDER / "starts", "a") as starts:
        starts.write("started\n")
    for line in sys.stdin:
        with open(FOLDER / "lines", "a") as lines:
            lines.write(line)
        message = json.loads(line)
        print(json.dumps({"id": message["id"], **wallet.answer(message)}), flush=True)
        numbers = [key.private_numbers().private_value for key in wallet.keys.values()]
        (FOLDER / "keys").write_text(json.dumps(numbers))
        print("swordfish", file=sys.stderr, flush=True)


main()
