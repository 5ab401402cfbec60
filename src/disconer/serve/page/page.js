// The page: text in, mentions out.

import { Api } from "./api.js";
import { copy, thank } from "./clipboard.js";
import { download } from "./downloads.js";
import { counted, element, isolated, make } from "./elements.js";
import { sourcesOf } from "./files.js";
import { Models } from "./models.js";
import { Notices } from "./notices.js";
import { Problem } from "./problem.js";
import { Results } from "./results.js";
import { linkTo, settingsIn } from "./settings.js";
import { Source } from "./source.js";
import { Text } from "./text.js";
import { Threshold } from "./threshold.js";

const EXAMPLE =
  "Severe joint, shoulder and upper body pain after only two weeks on Zoloric; legs felt weak and numb.";
const AFTER_TYPING = 600; // milliseconds
const AFTER_SLIDING = 250;

const notices = new Notices(start, (key) => {
  api.useKey(key);
  start();
});
const api = new Api((seconds) => notices.wait(seconds));
const text = new Text(() => soon(AFTER_TYPING));
const models = new Models(run);
const threshold = new Threshold(slide, run);
const results = new Results({ onSelect: select, onDownload: save, onPin: (mention) => notices.speak(mention.spoken) });
let limits = null; // of the server, once it has told them
let set = null; // sources that were opened together, instead of the text
let timer;
let running = new AbortController();

/** Asks the server what it has, unless it has told already, and runs. */
async function start() {
  if (limits === null) {
    try {
      introduce(await api.models());
    } catch (error) {
      return notices.show(problemOf(error));
    }
  }
  return run();
}

function introduce(server) {
  limits = server.limits;
  text.limit = limits.text_characters;
  models.show(server.models);
  element("dn-server").replaceChildren(...about(server));
  element("dn-run").disabled = false;
  apply(settingsIn(location.href));
}

function about({ models: [first, ...others], version }) {
  const one = [isolated(first.name), ` (${first.kind}, ${first.runtime})`];
  return [...(others.length > 0 ? [`${others.length + 1} models`] : one), ` · version ${version}`];
}

function apply(settings) {
  models.choose(settings.models);
  threshold.value = settings.threshold;
}

function soon(milliseconds) {
  clearTimeout(timer);
  timer = setTimeout(run, milliseconds);
}

/** Finds the mentions of what is there now; what was asked before is no longer wanted. */
async function run() {
  clearTimeout(timer);
  running.abort();
  running = new AbortController();
  if (limits === null) return;
  notices.clear();
  results.isBusy = false;
  const sources = set ?? (text.isEmpty ? [] : [text.source]);
  if (isReady(sources)) await find(sources, running.signal);
}

async function find(sources, signal) {
  results.isBusy = true;
  results.isStale = false;
  try {
    const answers = await Promise.all(models.chosen.map((model) => answerOf(model, sources, signal)));
    if (signal.aborted) return;
    notices.stopWaiting();
    notices.announce(results.show(answers));
  } catch (error) {
    if (signal.aborted) return;
    running.abort(); // the other models too
    notices.show(problemOf(error));
    results.isStale = true;
  }
  results.isBusy = false;
}

async function answerOf(model, sources, signal) {
  const request = { texts: sources.map((source) => source.asked), model, draw: true };
  if (threshold.value !== null) request.threshold = threshold.value;
  const { documents } = await api.extract(request, signal);
  return { model, documents: documents.map((document, place) => sources[place].named(document)) };
}

/** Tells whether there is something to ask, and says what is missing. */
function isReady(sources) {
  if (sources.length === 0) results.clear();
  else if (models.chosen.length === 0) notices.complain(["Choose at least one model."]);
  else if (set === null && text.isTooLong) {
    const most = limits.text_characters.toLocaleString("en");
    notices.complain([`The text is too long: this server takes ${most} characters.`]);
  } else return true;
  return false;
}

/** Says in words what went wrong; an answer that breaks off is no answer. */
function problemOf(error) {
  if (error instanceof Problem) return error;
  return error instanceof TypeError ? Problem.unreachable() : new Problem(`This page failed: ${error.message}`);
}

function slide() {
  results.fade(threshold.value);
  soon(AFTER_SLIDING);
}

function select(panel, mention) {
  const [start, end] = mention.extent.map((offset) => panel.points.inField(offset));
  if (set === null) text.select(panel.document.text, start, end);
}

async function save(records, to) {
  try {
    await download(api, records, to);
    notices.stopWaiting();
  } catch (error) {
    notices.show(problemOf(error));
  }
}

async function open(files) {
  if (files.length === 0 || limits === null) return;
  const { sources, isSet, complaints } = await sourcesOf(files, limits);
  if (sources.length > 0) (isSet ? openSet : openText)(sources);
  if (complaints.length > 0) notices.complain(complaints);
}

function openText([source]) {
  closeSet();
  text.open(source);
  run();
}

function openSet(sources) {
  set = sources;
  element("dn-set-title").textContent = counted(sources.length, "document");
  const names = sources.map((source, place) => String(source.id ?? `document ${place + 1}`));
  element("dn-set-names").replaceChildren(...names.map((name) => make("li", {}, isolated(name))));
  showSet(true);
  element("dn-set-title").focus();
  run();
}

function closeSet() {
  set = null;
  showSet(false);
}

function showSet(isSet) {
  element("dn-set").hidden = !isSet;
  element("dn-one").hidden = isSet;
}

function listenToDrops() {
  const isFiles = (event) => event.dataTransfer?.types.includes("Files");
  const over = (isOver) => element("dn-drop").classList.toggle("dn-dropping", isOver);
  addEventListener("dragover", (event) => {
    if (!isFiles(event)) return;
    event.preventDefault();
    over(true);
  });
  addEventListener("dragleave", (event) => event.relatedTarget === null && over(false));
  addEventListener("drop", (event) => {
    over(false);
    if (!isFiles(event)) return;
    event.preventDefault();
    open([...event.dataTransfer.files]);
  });
}

function listen() {
  listenToDrops();
  element("dn-run").addEventListener("click", run);
  for (const id of ["dn-example", "dn-empty-example"]) {
    element(id).addEventListener("click", () => openText([Source.plain(EXAMPLE)]));
  }
  element("dn-files").addEventListener("change", async ({ target }) => {
    await open([...target.files]);
    target.value = "";
  });
  element("dn-set-close").addEventListener("click", () => {
    closeSet();
    run();
    element("dn-text").focus();
  });
  element("dn-link").addEventListener("click", async ({ target }) => {
    await copy(linkTo(location.href, { models: models.chosen, threshold: threshold.value }));
    thank(target, "Copied");
  });
  addEventListener("keydown", (event) => event.key === "Enter" && (event.ctrlKey || event.metaKey) && run());
  addEventListener("hashchange", () => {
    if (!location.hash.includes("=")) return; // only a place on the page
    apply(settingsIn(location.href));
    run();
  });
}

listen();
start();
