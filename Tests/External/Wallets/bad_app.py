"""The wallet of docs/your-wallet in a world, which answers some message badly, or every one of a word.

    bad_app.py WORD WAY
"""

import json
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "docs" / "your-wallet"))
import wallet  # noqa: E402

WORD, WAY = sys.argv[1:]
ANSWERS = {
    "no-json": "ready", "list": "[]", "other-id": '{"id": 0}', "nothing": '{"id": %d}',
    "not-base64url": '{"id": %d, "answer": "++"}', "no-elements": '{"id": %d, "shows": {"elements": [7]}}',
    "no-root":
        '{"id": %d, "registrations": [{"documentType": "a", "documentIdentifier": "b", "readerRoots": ["AAAA"]}]}',
    "no-text": '{"id": %d, "registrations": [{"documentType": 7, "documentIdentifier": "b"}]}',
    "unsupported": '{"id": %d, "unsupported": true}',
}


def main():
    for line in sys.stdin:
        message = json.loads(line)
        if message["do"] != WORD:
            print(json.dumps({"id": message["id"], **wallet.answer(message)}), flush=True)
        elif WAY == "ends":
            sys.exit("there is no wallet here")
        elif WAY == "hangs":
            time.sleep(3600)
        elif WAY == "endless":
            while True:
                sys.stdout.write("a" * (1 << 20))
        elif WAY == "later":
            print(json.dumps({"id": message["id"], **wallet.answer(message)}) + "\n{}", flush=True)
        else:
            answer = ANSWERS[WAY]
            print(answer % message["id"] if "%d" in answer else answer, flush=True)


main()
