// One line per event: time, type, resource and, if it was forwarded, the receiver's answer and its duration.

import { type AccountEvent, EVENT_TYPES } from "../../../../sdk/src/index.ts";
import { printable } from "../../table.ts";
import type { Forwarded } from "./forward-event.ts";

const TYPE_WIDTH = Math.max(...EVENT_TYPES.map((type) => type.length));
const SID_WIDTH = 34;
const ANSWER_WIDTH = 3;

export function eventLine(event: AccountEvent, forwarded: Forwarded | undefined): string {
  const cells = [event.createdOn, event.type.padEnd(TYPE_WIDTH), event.resourceSid.padEnd(SID_WIDTH)];
  if (forwarded) {
    const answer = String(forwarded.status ?? `failed: ${forwarded.failure}`);
    cells.push(answer.padEnd(ANSWER_WIDTH), `${forwarded.ms} ms`);
  }
  return `${printable(cells.join("  ").trimEnd())}\n`;
}

export function eventJsonLine(event: AccountEvent, forwarded: Forwarded | undefined): string {
  return `${JSON.stringify(forwarded ? { ...event, forwarded } : event)}\n`;
}
