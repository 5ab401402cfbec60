"use strict";
// The error browser. A card is [corpus, system, name, drawing, undrawn, errors], an error [side, kind, label, overlap,
// text, score]; numbers stand for names. Drawings are HTML that was escaped when the report was made, with so many
// mentions left undrawn; all else is set as text.

/** @typedef {[number, number, number, number, string, number | null]} Mistake */
/** @typedef {Record<string, number>} Filters numbers by the names of what they stand for */
/** @typedef {[number, number, string, string, number, Mistake[]]} Card */

(() => {
  const CARDS_A_PAGE = 25;
  /** @type {{ names: Record<string, string[]>, cards: Card[] }} */
  const data = JSON.parse(document.getElementById("dn-errors")?.textContent ?? "");
  const OF_CARD = { corpus: 0, system: 1 };
  const ERRORS = 5;
  const OF_ERROR = { side: 0, kind: 1, label: 2, overlap: 3 };
  /** @template {keyof ReportElements} Id @param {Id} id */
  const element = (id) => /** @type {ReportElements[Id]} */ (document.getElementById(id));
  /** @type {HTMLSelectElement[]} */
  const selects = Array.from(document.querySelectorAll("[data-filter]"));
  /** @type {[Card, Set<Mistake>][]} */
  let shown = [];
  let page = 0;

  const filterOf = (/** @type {HTMLSelectElement} */ select) => select.dataset.filter ?? "";

  /** @returns {Filters} */
  const wanted = () =>
    Object.fromEntries(selects.filter((select) => select.value !== "").map((s) => [filterOf(s), Number(s.value)]));

  /** @param {unknown[]} values @param {Filters} places @param {Filters} filters */
  const passes = (values, places, filters) =>
    Object.entries(places).every(([name, place]) => !(name in filters) || values[place] === filters[name]);

  const words = () => element("dn-words").value.trim().toLowerCase();

  /** @param {Card} card @param {Filters} filters @param {string} text */
  const matching = (card, filters, text) =>
    card[ERRORS].filter((error) => passes(error, OF_ERROR, filters) && (!text || error[4].toLowerCase().includes(text)));

  function refresh() {
    const filters = wanted();
    const text = words();
    let errors = 0;
    shown = [];
    for (const card of data.cards) {
      if (!passes(card, OF_CARD, filters)) continue;
      const found = matching(card, filters, text);
      if (found.length === 0) continue;
      errors += found.length;
      shown.push([card, new Set(found)]);
    }
    const total = data.cards.reduce((sum, card) => sum + card[ERRORS].length, 0);
    element("dn-count").textContent =
      `${errors.toLocaleString("en")} of ${total.toLocaleString("en")} errors, ` +
      `in ${shown.length.toLocaleString("en")} drawings`;
    page = 0;
    draw();
  }

  function draw() {
    const pages = Math.max(1, Math.ceil(shown.length / CARDS_A_PAGE));
    const part = shown.slice(page * CARDS_A_PAGE, (page + 1) * CARDS_A_PAGE);
    element("dn-cards").replaceChildren(...part.map(([card, found]) => drawn(card, found)));
    element("dn-pages").hidden = pages === 1;
    element("dn-page").textContent = `Page ${page + 1} of ${pages.toLocaleString("en")}`;
    element("dn-previous").disabled = page === 0;
    element("dn-next").disabled = page === pages - 1;
  }

  /** @param {Card} card @param {Set<Mistake>} found */
  function drawn(card, found) {
    const figure = make("figure", "dn-figure dn-card");
    const caption = make("figcaption");
    const corpus = data.names.corpus.length > 1 ? `${data.names.corpus[card[0]]} · ` : "";
    caption.textContent = `${corpus}${data.names.system[card[1]]} · ${card[2]}`;
    const text = make("div", "dn-text");
    text.dir = "auto";
    text.innerHTML = card[3];
    const list = make("ul");
    list.append(...card[ERRORS].map((error) => listed(error, found.has(error))));
    figure.append(caption, text, list);
    if (card[4] > 0) {
      const note = make("p");
      note.textContent = `${card[4]} mentions lie too deep to be drawn`;
      figure.append(note);
    }
    return figure;
  }

  /** @param {Mistake} error @param {boolean} isWanted */
  function listed(error, isWanted) {
    const [side, kind, label, overlap, text, score] = error;
    const item = make("li", isWanted ? "" : "dn-other");
    const name = make("b", side === 0 ? "dn-hue-1" : "dn-hue-0");
    name.textContent = data.names.kind[kind];
    const where = make("bdi");
    where.textContent = text;
    const details = [data.names.side[side], data.names.label[label], data.names.overlap[overlap]];
    if (score !== null) details.push(`score ${score.toFixed(2)}`);
    item.append(name, ": ", where, ` (${details.join(", ")})`);
    return item;
  }

  /** @param {string} tag */
  function make(tag, classes = "") {
    const made = document.createElement(tag);
    made.className = classes;
    return made;
  }

  /** @param {number} step */
  function turn(step) {
    page += step;
    draw();
    element("dn-count").scrollIntoView();
  }

  for (const select of selects) {
    const names = data.names[filterOf(select)];
    select.append(new Option("all", ""), ...names.map((name, number) => new Option(name, String(number))));
    if (select.parentElement) select.parentElement.hidden = names.length < 2;
  }
  element("dn-filters").addEventListener("input", refresh);
  element("dn-filters").addEventListener("submit", (event) => event.preventDefault());
  element("dn-reset").addEventListener("click", () => {
    element("dn-filters").reset();
    refresh();
  });
  element("dn-previous").addEventListener("click", () => turn(-1));
  element("dn-next").addEventListener("click", () => turn(1));
  element("dn-filters").hidden = false;
  refresh();
})();
