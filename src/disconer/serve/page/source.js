// A source: a text that the server is asked about, and what it is called.

export class Source {
  #record;

  /** `asked` is what the server gets: a plain text, which it splits into sentences, or a record as it is.
   * @param {string | DocumentRecord} asked
   * @param {DocumentRecord} record
   */
  constructor(asked, record) {
    this.asked = asked;
    this.#record = record;
  }

  /** @param {string} text @param {string} [id] */
  static plain(text, id) {
    return new Source(text, id === undefined ? { text } : { id, text });
  }

  /** @param {DocumentRecord} record */
  static record(record) {
    return new Source(record, record);
  }

  get text() {
    return this.#record.text;
  }

  /** Gives what the source is called, as text; undefined if it has no name. */
  get id() {
    const { id } = this.#record;
    return id === undefined || id === null ? undefined : String(typeof id === "object" ? id.rawJSON : id);
  }

  /** Gives the same source under another name.
   * @param {string} id
   */
  renamed(id) {
    const record = { ...this.#record, id };
    return new Source(typeof this.asked === "string" ? this.asked : record, record);
  }

  /** Gives the whole record with mentions, which are the only thing about it that the server knows better.
   * @param {Entity[]} entities
   */
  recordWith(entities) {
    return { ...this.#record, entities: entities.map(({ text, ...entity }) => entity) };
  }

  /** Gives only what a brat file can hold, with mentions.
   * @param {Entity[]} entities
   */
  bratRecordWith(entities) {
    const { id, text, sentences, words } = this.#record;
    return { id, text, sentences, words, entities: entities.map(({ label, spans }) => ({ label, spans })) };
  }
}
