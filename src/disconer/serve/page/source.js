// A source: a text that the server is asked about, and what it is called.

export class Source {
  /** `asked` is what the server gets: a plain text, which it splits into sentences, or a record as it is. */
  constructor(id, text, asked) {
    this.id = id;
    this.text = text;
    this.asked = asked;
  }

  static plain(text, id) {
    return new Source(id, text, text);
  }

  static record(record) {
    return new Source(record.id ?? undefined, record.text, record);
  }

  /** Gives the server's answer as a document with the name of this source. */
  named(document) {
    return this.id === undefined ? document : { id: this.id, ...document };
  }
}
