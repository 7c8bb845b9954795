// The content of a message: its lines, each with the bytes that it is about.

const DECODERS = {
  base64: (text) => fromBase64(text),
  base64url: (text) => fromBase64(text.replaceAll("-", "+").replaceAll("_", "/")),
  text: (text) => new TextEncoder().encode(JSON.parse(`"${text}"`)),
};

function fromBase64(text) {
  const decoded = atob(text);
  const bytes = new Uint8Array(decoded.length);
  for (let index = 0; index < decoded.length; index += 1) bytes[index] = decoded.charCodeAt(index);
  return bytes;
}

export class MessageContent {
  constructor({
    s: sources, l: lines, p: protections, v: drawing = null, w: words = null, d: disclosures = [], a: asker = null,
  }) {
    /** What the stage shows beside an app's view: the order of the elements, and who certified the requester's name. */
    this.asker = asker;
    this.disclosures = disclosures;
    this.drawing = drawing;
    /** The words of a screen that its content does not have. */
    this.words = words;
    this.protections = protections;
    this.sources = sources;
    this.decoded = [];
    this.lines = this.placed(lines);
  }

  /** Lines without bytes of their own are about those of the line that contains them, or about the whole source. */
  placed(lines) {
    const above = [];
    return lines.map(([level, text, source = null, start = null, end = null]) => {
      above.length = level;
      const parent = above.findLast((one) => one && one.source === source);
      const range = start !== null ? [start, end] : parent?.range ?? (source === null ? null : [0, this.size(source)]);
      const line = { level, text, source, range, isOwn: start !== null };
      above[level] = line;
      return line;
    });
  }

  size(source) { return this.bytes(source).length; }

  /** The bytes of a source, decoded from the one that contains them. */
  bytes(source) {
    const { bytes, source: outer, range, encoding } = this.sources[source];
    this.decoded[source] ??= bytes !== undefined ? fromBase64(bytes)
      : DECODERS[encoding](new TextDecoder().decode(this.bytes(outer).subarray(...range)));
    return this.decoded[source];
  }

  /** The text of a source. */
  text(source = 0) { return new TextDecoder().decode(this.bytes(source)); }

  /** A name for a source: that of the member that contains it. */
  nameOf(source) {
    const { source: outer, range, encoding } = this.sources[source];
    if (source === 0) return "Message";
    if (outer === undefined) return "Decoded";
    const line = this.lineAt(outer, range[0]);
    return `${(this.lines[line]?.text ?? "").split(":")[0]}, ${encoding}`;
  }

  /** The index of the innermost line about a byte, or -1. */
  lineAt(source, byte) {
    let found = -1;
    let size = Infinity;
    this.lines.forEach(({ source: its, range, isOwn }, index) => {
      if (its !== source || !range || byte < range[0] || byte >= range[1]) return;
      const length = range[1] - range[0];
      if (length < size || (length === size && isOwn && !this.lines[found].isOwn)) [found, size] = [index, length];
    });
    return found;
  }

  /** The protections that cover a range of a source. */
  protectionsOf(source, [start, end]) {
    return this.protections.filter((one) => one.source === source
      && one.covered.some(([from, to]) => from <= start && end <= to));
  }
}
