"""A folder for the files of one test."""

import pathlib
import subprocess
import tempfile
import unittest


class Folder(unittest.TestCase):
    """The folder is removed after the test. Programs run there."""

    def setUp(self):
        held = tempfile.TemporaryDirectory(prefix="presentment-")
        self.addCleanup(held.cleanup)
        self.folder = pathlib.Path(held.name)

    def write(self, name, text):
        (self.folder / name).write_text(text)
        return name

    def run_in_folder(self, *words, **others):
        return subprocess.run([*map(str, words)], cwd=self.folder, capture_output=True, text=True, **others)
