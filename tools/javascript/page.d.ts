// What the pages' modules know of each other and of the server, for the type checker alone.

/** The elements of index.html that modules look up, by their ids. */
interface PageElements {
  "dn-answers": HTMLDivElement;
  "dn-counter": HTMLParagraphElement;
  "dn-drop": HTMLDivElement;
  "dn-invented": HTMLParagraphElement;
  "dn-empty": HTMLDivElement;
  "dn-empty-example": HTMLButtonElement;
  "dn-example": HTMLButtonElement;
  "dn-files": HTMLInputElement;
  "dn-found": HTMLDivElement;
  "dn-hint-select": HTMLSpanElement;
  "dn-key": HTMLInputElement;
  "dn-key-form": HTMLFormElement;
  "dn-legend": HTMLDivElement;
  "dn-link": HTMLButtonElement;
  "dn-models": HTMLFieldSetElement;
  "dn-one": HTMLDivElement;
  "dn-own": HTMLButtonElement;
  "dn-problem": HTMLDivElement;
  "dn-results": HTMLElement;
  "dn-run": HTMLButtonElement;
  "dn-server": HTMLSpanElement;
  "dn-set": HTMLDivElement;
  "dn-set-close": HTMLButtonElement;
  "dn-set-names": HTMLOListElement;
  "dn-set-title": HTMLElement;
  "dn-settings": HTMLDetailsElement;
  "dn-skip": HTMLAnchorElement;
  "dn-spoken": HTMLParagraphElement;
  "dn-status": HTMLParagraphElement;
  "dn-text": HTMLTextAreaElement;
  "dn-threshold": HTMLInputElement;
  "dn-threshold-value": HTMLSpanElement;
}

/** A mention as the server answers it. */
interface Entity {
  label: string;
  spans: [number, number][];
  score: number;
  text: string;
}

/** A number as it was written, which JavaScript could not hold. */
interface RawNumber {
  rawJSON: string;
}

/** A line of JSONL. */
interface DocumentRecord {
  text: string;
  id?: string | number | RawNumber | null;
  sentences?: unknown;
  words?: unknown;
}

interface ModelInformation {
  name: string;
  labels: string[];
  kind: string;
  runtime: string;
  examples: string[];
  invented: boolean;
}

interface Limits {
  body_bytes: number;
  text_characters: number;
  texts: number;
}

/** The answer of /v1/models. */
interface ServerInformation {
  models: [ModelInformation, ...ModelInformation[]];
  limits: Limits;
  version: string;
}

interface ExtractRequest {
  texts: (string | DocumentRecord)[];
  model: string;
  draw: boolean;
  threshold?: number;
}

interface ExtractResponse {
  documents: { entities: Entity[] }[];
  drawings: string[];
}

type DownloadFormat = "jsonl" | "brat";

/** What a model found in a source. */
interface Finding {
  source: import("../../src/disconer/serve/page/source.js").Source;
  entities: Entity[];
  drawing: string;
}

interface ModelAnswer {
  model: string;
  findings: Finding[];
}

/** The part of an OpenAPI document that docs.js completes. */
interface OpenApi {
  tags?: { name: string }[];
}

declare function SwaggerUIBundle(options: object): void;

interface JSON {
  rawJSON?(text: string): RawNumber;
  parse(text: string, reviver: (key: string, value: unknown, context?: { source?: string }) => unknown): unknown;
}

/** The elements of a report that its script looks up, by their ids. */
interface ReportElements {
  "dn-cards": HTMLDivElement;
  "dn-count": HTMLParagraphElement;
  "dn-filters": HTMLFormElement;
  "dn-next": HTMLButtonElement;
  "dn-page": HTMLSpanElement;
  "dn-pages": HTMLParagraphElement;
  "dn-previous": HTMLButtonElement;
  "dn-reset": HTMLButtonElement;
  "dn-words": HTMLInputElement;
}
