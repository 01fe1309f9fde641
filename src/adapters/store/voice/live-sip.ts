// SIP messages for the clients that watch them live: masked like the stored ones, and with the call and account of
// their leg. The record of a call is stored a moment after its first message, so a message waits for it, a few seconds
// at most. Bounded: messages that arrive while too many wait are dropped.

import type { SipMessageRecord } from "../../../domain/voice/index.ts";
import type { Queryable } from "../engine/database.ts";
import { decoded, masked } from "./sip-trace.ts";

export interface LiveSipMessage {
  readonly accountSid: string;
  readonly data: {
    readonly at: Date;
    readonly callSid: string;
    readonly leg: string;
    readonly direction: string;
    readonly peer: string;
    readonly local: string;
    readonly transport: string;
    readonly text: string;
  };
}

const WAITING_MAX = 2_000;
const WAITING_MS_MAX = 5_000;
const TEXT_LENGTH_MAX = 4_096;

interface OwnedLeg {
  readonly sid: string;
  readonly callSid: string;
  readonly leg: string;
  readonly accountSid: string;
}

export class LiveSip {
  readonly #db: Queryable;
  #waiting: SipMessageRecord[] = [];

  constructor(db: Queryable) {
    this.#db = db;
  }

  add(record: SipMessageRecord): void {
    if (this.#waiting.length < WAITING_MAX) this.#waiting.push(record);
  }

  /** Returns the messages whose call is known by now, in order. */
  async take(now: Date): Promise<readonly LiveSipMessage[]> {
    if (this.#waiting.length === 0) return [];
    const asked = this.#waiting;
    this.#waiting = [];
    const legs = await this.#db.query<OwnedLeg>(
      `select legs.sid, call_sid as "callSid", leg, account_sid as "accountSid"
         from call_legs as legs join calls on calls.sid = call_sid where legs.sid = any($1)`,
      [[...new Set(asked.map(({ legSid }) => legSid))]],
    );
    const bySid = new Map(legs.map((leg) => [leg.sid, leg]));
    const isLate = ({ at }: SipMessageRecord) => now.getTime() - at.getTime() > WAITING_MS_MAX;
    const early = asked.filter((record) => !bySid.has(record.legSid) && !isLate(record));
    this.#waiting = [...early, ...this.#waiting];
    return asked.flatMap((record) => {
      const leg = bySid.get(record.legSid);
      return leg ? [shown(record, leg)] : [];
    });
  }
}

function shown(record: SipMessageRecord, { callSid, leg, accountSid }: OwnedLeg): LiveSipMessage {
  const { at, direction, peer, local, transport, withheld } = record;
  const text = masked(decoded(record.text), withheld).slice(0, TEXT_LENGTH_MAX);
  return { accountSid, data: { at, callSid, leg, direction, peer, local, transport, text } };
}
