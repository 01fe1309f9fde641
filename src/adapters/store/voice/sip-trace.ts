// Stores the SIP messages of calls: written in batches in the background, so that no call waits for them. For each leg
// the first 150 are stored as they arrive, and the last 50; those in between are dropped. Credentials, media keys and
// the identity of callers who withhold it are masked before anything is stored. Messages of legs that belong to no
// call, such as those to unknown numbers, are dropped.

import { forgetOldest } from "../../../base/forget-oldest.ts";
import type { SipMessageRecord } from "../../../domain/voice/index.ts";
import type { Queryable } from "../engine/database.ts";
import { jsonText } from "../engine/json-text.ts";
import { cutoff, sweep } from "../engine/sweeps.ts";

const FIRST = 150;
const LAST = 50;
/** By then the record of a call is stored, and the rest of a leg's messages has arrived. */
const SETTLED_MS = 2_000;
const WAITING_MAX = 50_000;
const LEGS_MAX = 20_000;
const BATCH_MAX = 1_000;
const DAY_MS = 24 * 3_600_000;

const WRITE = `
insert into sip_messages (call_sid, leg, at, direction, peer, local, transport, text)
select legs.call_sid, legs.leg, given.at, given.direction, given.peer, given.local, given.transport, given.text
  from rows from (json_to_recordset($1) as (leg_sid text, at timestamptz, direction text, peer text, local text, transport text, text text))
    with ordinality as given (leg_sid, at, direction, peer, local, transport, text, place)
  join call_legs as legs on legs.sid = given.leg_sid order by place`;

interface LegTrace {
  count: number;
  /** The newest messages after the first ones, held until the leg is silent. */
  last: SipMessageRecord[];
}

export class SipTrace {
  readonly #db: Queryable;
  readonly #waiting: SipMessageRecord[] = [];
  readonly #legs = new Map<string, LegTrace>();

  constructor(db: Queryable) {
    this.#db = db;
  }

  add(record: SipMessageRecord): void {
    const { legSid } = record;
    const leg = this.#legs.get(legSid) ?? { count: 0, last: [] };
    this.#legs.set(legSid, leg);
    forgetOldest(this.#legs, LEGS_MAX);
    leg.count += 1;
    if (leg.count > FIRST) {
      leg.last.push(record);
      if (leg.last.length > LAST) leg.last.shift();
    } else if (this.#waiting.length < WAITING_MAX) this.#waiting.push(record);
  }

  /** Writes messages that are old enough; with `all`, every message. */
  async flush(now: Date, scope: "settled" | "all" = "settled"): Promise<void> {
    const isDue = ({ at }: SipMessageRecord) => scope === "all" || now.getTime() - at.getTime() >= SETTLED_MS;
    for (const [legSid, { last }] of this.#legs) {
      const newest = last.at(-1);
      if (newest && isDue(newest)) {
        this.#waiting.push(...last);
        this.#legs.set(legSid, { count: FIRST, last: [] });
      }
    }
    let due = this.#waiting.findIndex((record) => !isDue(record));
    if (due < 0) due = this.#waiting.length;
    while (due > 0) {
      const batch = this.#waiting.slice(0, Math.min(due, BATCH_MAX));
      await this.#db.query(WRITE, [jsonText(batch.map(toRow))]);
      this.#waiting.splice(0, batch.length);
      due -= batch.length;
    }
  }
}

function toRow({ legSid, at, direction, peer, local, transport, text, withheld }: SipMessageRecord) {
  return { leg_sid: legSid, at, direction, peer, local, transport, text: masked(decoded(text), withheld) };
}

/** Decodes octets as UTF-8; invalid ones become replacement characters. */
export function decoded(octets: string): string {
  return /[\x80-\xff]/.test(octets) ? Buffer.from(octets, "latin1").toString("utf8") : octets;
}

// RFC 3325, RFC 8224 and their predecessors: fields that identify the caller, whatever From contains.
const IDENTITIES =
  /^((?:P-Asserted-Identity|P-Preferred-Identity|Remote-Party-ID|Identity|y)[ \t]*:)[^\r\n]*(?:\r?\n[ \t][^\r\n]*)*/gim;
const DISPLAY_NAMES = /^((?:From|f|To|t)[ \t]*:[ \t]*)(?:"(?:[^"\\\r\n]|\\.)*"|[^"<\r\n]*)[ \t]*(?=<)/gim;
/** National and international spellings of a number end alike. */
const SAME_DIGITS = 7;

export function masked(text: string, withheld?: string): string {
  const shown = withheld === undefined ? text : withoutCaller(text, withheld);
  return shown
    .replace(/^((?:Proxy-)?Authorization[ \t]*:)[^\r\n]*(?:\r?\n[ \t][^\r\n]*)*/gim, "$1 ***")
    .replace(/^(a=crypto:[^\r\n]*?inline:)[^\r\n]*/gim, "$1***");
}

/** Masks the caller, who may be named in any field, and whose number may have several spellings. */
function withoutCaller(text: string, caller: string): string {
  const shown = text.replace(IDENTITIES, "$1 ***").replace(DISPLAY_NAMES, '$1"***" ');
  const digits = caller.replace(/\D/g, "").slice(-SAME_DIGITS);
  return digits.length < SAME_DIGITS ? shown : shown.replace(new RegExp(`\\+?\\d{0,20}${digits}(?!\\d)`, "g"), "***");
}

export function sweepSipMessages(db: Queryable, now: Date, keptDays: number): Promise<number> {
  return sweep(db, "sip_messages", "at < $1", [cutoff(now, keptDays * DAY_MS)]);
}
