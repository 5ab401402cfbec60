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

/** @import { Mention } from "./mention.js" */
/** @import { Panel } from "./panel.js" */

const EXAMPLE = // for a model that brings none of its own
  "Severe joint, shoulder and upper body pain after only two weeks on Zoloric; legs felt weak and numb.";
const AFTER_TYPING = 600; // milliseconds
const AFTER_SLIDING = 250;

const NARROW = matchMedia("(width < 62rem)"); // text and mentions stand below each other

const notices = new Notices((key) => {
  api.useKey(key);
  start();
});
const api = new Api((seconds) => notices.wait(seconds));
const text = new Text(() => soon(AFTER_TYPING));
const models = new Models(run);
const threshold = new Threshold(slide, run);
const results = new Results({
  onSelect: select,
  onDownload: save,
  onWalk: (mention) => notices.speak(mention?.spoken ?? ""),
});
/** @type {PromiseWithResolvers<Limits>} */
const introduced = Promise.withResolvers(); // the server
/** @type {Limits | null} */
let limits = null; // of the server, once it has told them
/** @type {Source[] | null} */
let set = null; // sources that were opened together, instead of the text
/** @type {File[] | null} */
let opening = null; // the files that were dropped last
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
let starting = new AbortController();
let running = new AbortController();

/** Asks the server what it has, and runs; an earlier start that is still under way is no longer wanted. */
async function start() {
  starting.abort();
  starting = new AbortController();
  const { signal } = starting;
  try {
    const server = await api.models(signal);
    if (!signal.aborted) introduce(server);
  } catch (error) {
    if (!signal.aborted) notices.show(problemOf(error), start);
    return;
  }
  if (!signal.aborted) await run();
}

/** @param {ServerInformation} server */
function introduce(server) {
  const isFirst = limits === null;
  limits = server.limits;
  text.limit = limits.text_characters;
  models.show(server.models);
  element("dn-server").replaceChildren(...about(server));
  element("dn-run").disabled = false;
  if (isFirst) apply(settingsIn(location.href));
  introduced.resolve(limits);
  notices.outdate();
  notices.settle();
}

/** @param {ServerInformation} server */
function about({ models: [first, ...others], version }) {
  const one = [isolated(first.name), ` (${first.kind}, ${first.runtime})`];
  return [...(others.length > 0 ? [`${others.length + 1} models`] : one), ` · version ${version}`];
}

/** @param {ReturnType<typeof settingsIn>} settings */
function apply(settings) {
  models.choose(settings.models);
  threshold.value = settings.threshold;
}

/** @param {number} milliseconds */
function soon(milliseconds) {
  clearTimeout(timer);
  timer = setTimeout(() => notices.isAskingForKey || run(), milliseconds);
}

/** Finds the mentions of what is there now; what was asked before is no longer wanted. Tells whether it found out. */
async function run() {
  clearTimeout(timer);
  running.abort();
  running = new AbortController();
  if (limits === null) return false;
  notices.outdate();
  results.isBusy = false;
  const sources = set ?? (text.isEmpty ? [] : [text.source]);
  return isReady(sources) && find(sources, running.signal);
}

/** @param {Source[]} sources @param {AbortSignal} signal */
async function find(sources, signal) {
  results.isBusy = true;
  try {
    const answers = await Promise.all(models.chosen.map((model) => answerOf(model, sources, signal)));
    if (signal.aborted) return false;
    notices.settle();
    notices.announce(results.show(answers));
  } catch (error) {
    if (signal.aborted) return false;
    running.abort(); // the other models too
    const problem = problemOf(error);
    notices.show(problem, problem.code === "unknown-model" ? start : run);
    results.isStale = true;
  }
  results.isBusy = false;
  return !signal.aborted;
}

/** @param {string} model @param {Source[]} sources @param {AbortSignal} signal @returns {Promise<ModelAnswer>} */
async function answerOf(model, sources, signal) {
  /** @type {ExtractRequest} */
  const request = { texts: sources.map((source) => source.asked), model, draw: true };
  if (threshold.value !== null) request.threshold = threshold.value;
  const { documents, drawings } = await api.extract(request, signal);
  const findings = sources.map((source, place) => {
    const { entities } = documents[place];
    return { source, entities, drawing: drawings[place] };
  });
  return { model, findings };
}

/** Tells whether there is something to ask, and says what is missing.
 * @param {Source[]} sources
 */
function isReady(sources) {
  if (sources.length === 0) return empty();
  const complaint = complaintNow();
  if (complaint === null) return true;
  notices.complain([complaint]);
  results.isStale = true;
  return false;
}

function complaintNow() {
  if (models.chosen.length === 0) return "Choose at least one model.";
  if (set !== null || limits === null || !text.isTooLong) return null;
  return `The text is too long: this server takes ${limits.text_characters.toLocaleString("en")} characters.`;
}

function empty() {
  results.clear();
  notices.settle();
  notices.announce("");
  notices.speak("");
  return false;
}

/** Says in words what went wrong; an answer that breaks off is no answer.
 * @param {unknown} error
 */
function problemOf(error) {
  if (error instanceof Problem) return error;
  if (error instanceof TypeError) return Problem.unreachable();
  return new Problem(`This page failed: ${error instanceof Error ? error.message : error}`);
}

function slide() {
  results.fade(threshold.value);
  soon(AFTER_SLIDING);
}

/** @param {Panel} panel @param {Mention} mention */
function select(panel, mention) {
  const [start, end] = mention.extent.map((offset) => panel.points.inField(offset));
  if (set === null) text.select(panel.source.text, start, end);
}

/** @param {Panel[]} panels @param {DownloadFormat} to */
async function save(panels, to) {
  try {
    await download(api, panels, to);
    if (to === "brat") notices.settle(); // the server was asked
  } catch (error) {
    notices.show(problemOf(error), () => save(panels, to));
  }
}

/** Opens files as soon as the server has said how much it takes; of those opened meanwhile, only the last.
 * @param {File[]} files
 */
async function open(files) {
  if (files.length === 0) return;
  opening = files;
  const { sources, isSet, complaints } = await sourcesOf(files, await introduced.promise);
  if (opening !== files) return;
  if (sources.length > 0) (isSet ? openSet : openText)(sources);
  if (complaints.length > 0) notices.complain(complaints);
}

/** @param {Source[]} sources */
function openText([source]) {
  results.beginAnew();
  closeSet();
  text.open(source);
  run();
}

/** @param {Source[]} sources */
function openSet(sources) {
  results.beginAnew();
  set = sources;
  element("dn-set-title").textContent = counted(sources.length, "document");
  const names = sources.map((source, place) => source.id ?? `document ${place + 1}`);
  element("dn-set-names").replaceChildren(...names.map((name) => make("li", {}, isolated(name))));
  showSet(true);
  element("dn-set-title").focus();
  run();
}

function closeSet() {
  set = null;
  showSet(false);
}

/** @param {boolean} isSet */
function showSet(isSet) {
  element("dn-set").hidden = !isSet;
  element("dn-one").hidden = isSet;
  element("dn-hint-select").hidden = isSet;
}

function listenToDrops() {
  const isFiles = (/** @type {DragEvent} */ event) => event.dataTransfer?.types.includes("Files");
  const over = (/** @type {boolean} */ isOver) => element("dn-drop").classList.toggle("dn-dropping", isOver);
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
    open([...(event.dataTransfer?.files ?? [])]);
  });
}

/** Folds the settings away where they would stand between the text and its mentions. */
function fold() {
  element("dn-settings").open = !NARROW.matches;
}

/** Finds the mentions and brings them into view where they stand below. */
async function runAndLook() {
  const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  if ((await run()) && NARROW.matches) element("dn-results").scrollIntoView({ behavior: isCalm ? "auto" : "smooth" });
}

function listen() {
  listenToDrops();
  NARROW.addEventListener("change", fold);
  element("dn-run").addEventListener("click", runAndLook);
  element("dn-skip").addEventListener("click", (event) => {
    event.preventDefault(); // the address holds settings
    element("dn-results").focus();
  });
  for (const button of [element("dn-example"), element("dn-empty-example")]) {
    button.addEventListener("click", () => openText([Source.plain(models.nextExample() ?? EXAMPLE)]));
  }
  const field = element("dn-files");
  field.addEventListener("change", async () => {
    await open([...(field.files ?? [])]);
    field.value = "";
  });
  element("dn-set-close").addEventListener("click", () => {
    results.beginAnew();
    closeSet();
    run();
    element("dn-text").focus();
  });
  element("dn-link").addEventListener("click", async () => {
    await copy(linkTo(location.href, { models: models.chosen, threshold: threshold.value }));
    thank(element("dn-link"), "Copied");
  });
  addEventListener("keydown", (event) => event.key === "Enter" && (event.ctrlKey || event.metaKey) && run());
  addEventListener("hashchange", () => {
    apply(settingsIn(location.href));
    run();
  });
  addEventListener("pageshow", (event) => event.persisted && location.reload()); // or text and key would come back
}

fold();
listen();
start();
