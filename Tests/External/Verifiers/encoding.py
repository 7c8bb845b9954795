"""A reader of CBOR that refuses what a program could read in two ways."""

import struct

from cbor2 import CBORTag

from checks import Checking, Refusal, declare, require

DEEPEST = 32
MOST_ITEMS = 4096
EMBEDDED = 24

declare("trailing-bytes", "Nothing follows an item, at the end or inside a tag.")
declare("duplicate-keys", "No map has a key twice.")
declare("encoding", "Lengths are definite and in their shortest form.")
declare("utf-8", "Texts are UTF-8.")
declare("limits", "Items are neither too many nor nested too deeply.")


class Reader(Checking):
    """Reads items; tags are kept, so that dates and embedded items are read where they are checked."""

    def read(self, data):
        require(isinstance(data, bytes), "an encoded item is not a byte string")
        cursor = Cursor(data, self)
        try:
            value = cursor.item(0)
        except (IndexError, struct.error):
            raise Refusal("malformed: an item ends too early") from None
        if cursor.place != len(data) and self.makes("trailing-bytes"):
            raise Refusal("trailing-bytes")
        return value

    def embedded(self, value):
        """The item inside tag 24."""
        require(isinstance(value, CBORTag) and value.tag == EMBEDDED, "an item is not in tag 24")
        return self.read(value.value)


class Cursor:
    """A place in encoded data."""

    def __init__(self, data, reader):
        self.data, self.reader, self.place, self.items = data, reader, 0, 0

    def take(self, length):
        require(length <= len(self.data) - self.place, "a length is beyond the end")
        self.place += length
        return self.data[self.place - length:self.place]

    def is_end(self):
        if self.data[self.place] != 0xFF:
            return False
        self.place += 1
        return True

    def item(self, depth):
        self.items += 1
        if (depth > DEEPEST or self.items > MOST_ITEMS) and self.reader.makes("limits"):
            raise Refusal("limits")
        head = self.take(1)[0]
        major, short = head >> 5, head & 31
        if major == 7:
            return self.simple(short)
        argument = self.argument(short)
        if argument is None:
            require(major in (2, 3, 4, 5), "a number or a tag has no length to leave open")
        return (self.unsigned, self.negative, self.bytes, self.text, self.array, self.map, self.tag)[major](
            argument, depth)

    def argument(self, short):
        """The number in a head; None for a length that is left open."""
        if short < 24:
            return short
        if short == 31:
            self.departs()
            return None
        require(short < 28, "a head is reserved")
        size = 1 << (short - 24)
        value = int.from_bytes(self.take(size), "big")
        if value < (24, 1 << 8, 1 << 16, 1 << 32)[short - 24]:
            self.departs()
        return value

    def departs(self):
        if self.reader.makes("encoding"):
            raise Refusal("encoding")

    def unsigned(self, argument, _):
        return argument

    def negative(self, argument, _):
        return -1 - argument

    def bytes(self, length, depth):
        if length is not None:
            return self.take(length)
        parts = []
        while not self.is_end():
            parts.append(self.item(depth + 1))
            require(isinstance(parts[-1], bytes), "a part of a byte string is another item")
        return b"".join(parts)

    def text(self, length, depth):
        if length is not None:
            encoded = self.take(length)
            try:
                return encoded.decode("utf-8", "strict" if self.reader.makes("utf-8") else "replace")
            except UnicodeDecodeError:
                raise Refusal("utf-8") from None
        parts = []
        while not self.is_end():
            parts.append(self.item(depth + 1))
            require(isinstance(parts[-1], str), "a part of a text is another item")
        return "".join(parts)

    def array(self, length, depth):
        if length is not None:
            return [self.item(depth + 1) for _ in range(length)]
        items = []
        while not self.is_end():
            items.append(self.item(depth + 1))
        return items

    def map(self, length, depth):
        found = {}
        while not self.is_end() if length is None else length > 0:
            key = self.item(depth + 1)
            require(type(key) in (int, str, bytes), "a key of a map is neither a number nor a string")
            value = self.item(depth + 1)
            if key in found and self.reader.makes("duplicate-keys"):
                raise Refusal("duplicate-keys")
            found[key] = value
            length = None if length is None else length - 1
        return found

    def tag(self, number, depth):
        return CBORTag(number, self.item(depth + 1))

    def simple(self, short):
        if short in (20, 21):
            return short == 21
        if short in (22, 23):
            return None
        require(short in (25, 26, 27), "a simple value is unknown")
        return struct.unpack({25: ">e", 26: ">f", 27: ">d"}[short], self.take(1 << (short - 24)))[0]
