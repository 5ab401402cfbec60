// A mention: what the server found, in the words of its text.

/** @import { CodePoints } from "./offsets.js" */

export class Mention {
  /** @param {number} number @param {Entity} entity @param {CodePoints} points */
  constructor(number, entity, points) {
    this.number = number;
    this.entity = entity;
    this.label = entity.label;
    this.spans = entity.spans;
    this.score = entity.score;
    this.isOff = false; // its type is switched off
    this.isBelow = false; // the threshold
    this.isOnly = false; // found by one of several models
    this.text = entity.spans.map(([start, end]) => points.slice(start, end)).join(" … ");
  }

  /** What makes two mentions of a text the same. */
  get key() {
    return JSON.stringify([this.label, this.spans]);
  }

  get hasGaps() {
    return this.spans.length > 1;
  }

  get places() {
    return this.spans.map(([start, end]) => `${start}–${end}`).join(", ");
  }

  /** @returns {[number, number]} */
  get extent() {
    return [this.spans[0][0], this.spans[this.spans.length - 1][1]];
  }

  get shownScore() {
    return this.score.toFixed(2);
  }

  get spoken() {
    return `${this.label}: ${this.text}, score ${this.shownScore}`;
  }
}
