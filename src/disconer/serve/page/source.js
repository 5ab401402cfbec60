// A source: a text that the server is asked about, and what it is called.

export class Source {
  #record;

  /** `asked` is what the server gets: a plain text, which it splits into sentences, or a record as it is. */
  constructor(asked, record) {
    this.asked = asked;
    this.#record = record;
  }

  static plain(text, id) {
    return new Source(text, id === undefined ? { text } : { id, text });
  }

  static record(record) {
    return new Source(record, record);
  }

  get text() {
    return this.#record.text;
  }

  /** Gives what the source is called, as text; undefined if it has no name. */
  get id() {
    const { id } = this.#record;
    return id === undefined || id === null ? undefined : String(id.rawJSON ?? id);
  }

  /** Gives the same source under another name. */
  renamed(id) {
    const record = { ...this.#record, id };
    return new Source(typeof this.asked === "string" ? this.asked : record, record);
  }

  /** Gives the whole record with mentions, which are the only thing about it that the server knows better. */
  recordWith(entities) {
    return { ...this.#record, entities: entities.map(({ text, ...entity }) => entity) };
  }

  /** Gives only what a brat file can hold, with mentions. */
  bratRecordWith(entities) {
    const { id, text, sentences, words } = this.#record;
    return { id, text, sentences, words, entities: entities.map(({ label, spans }) => ({ label, spans })) };
  }
}
