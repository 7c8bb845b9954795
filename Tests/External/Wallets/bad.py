"""Programs that answer badly, each in one way, from the beginning or after some messages.

    bad.py WAY
"""

import os
import sys
import time

WAY = sys.argv[1]


def main():
    if WAY == "ends":
        sys.exit("there is no wallet here")
    if WAY == "closes-output":
        os.close(1)
        time.sleep(3600)
    if WAY == "does-not-read":
        time.sleep(3600)
    for _ in sys.stdin:
        if WAY == "hangs":
            time.sleep(3600)
        elif WAY == "no-json":
            print("ready", flush=True)
        elif WAY == "list":
            print("[]", flush=True)
        elif WAY == "other-id":
            print('{"id": 0}', flush=True)
        elif WAY == "no-key":
            print('{"id": 1, "deviceKey": {"kty": "EC", "crv": "P-256", "x": "AA", "y": "AA"}}', flush=True)
        elif WAY == "unsupported":
            print('{"id": 1, "unsupported": true}', flush=True)
        elif WAY == "huge":
            for _ in range(1024):
                sys.stdout.write("a" * (1 << 20))
        elif WAY == "chatty-log":
            sys.stderr.write("b" * (64 << 20))
            sys.exit("the last words")
        elif WAY == "dies":
            os.kill(os.getpid(), 9)


main()
