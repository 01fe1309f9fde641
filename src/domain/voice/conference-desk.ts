// The conferences of this process, by account and name: opens one when its first call enters, and passes on what is
// asked of participants. A conference is in one process: a call of ours whose conference another one has is brought
// there by a bridge.

import { ok, type Result, refused } from "../../base/result.ts";
import { CONFERENCES_MAX } from "./conference.ts";
import { LiveConference, type LiveConferenceDeps } from "./live-conference.ts";
import type { AskedOfConference, ConferenceEntry, ConferenceLedger, Conferences, ConferenceVisit } from "./ports.ts";

export interface ConferenceDeskDeps extends Omit<LiveConferenceDeps, "done" | "ledger"> {
  /** As `ConferenceBridges` does it. */
  readonly bring: (entry: ConferenceEntry, openHere: () => void) => ConferenceVisit;
  readonly ledger: ConferenceLedger;
}

/** Storing the ends of conferences must take no longer. */
const STORE_MS_MAX = 1_000;

type Opened = Result<LiveConference, "elsewhere" | "full">;

/** The call of a conference that is entered. */
interface Visit {
  isOver: boolean;
  /** Once it is in, or on its way to another node. */
  leave?: ConferenceVisit["leave"] | undefined;
}

/** How often a call is brought to another node whose conference ends at that moment, and how long it waits between. */
const BRIDGES_MAX = 8;
const AGAIN_MS = 250;
const NOT_ENTERED = "The node that has the conference did not let the call in.";
const FULL = `The account has ${CONFERENCES_MAX} conferences at the same time, which is the most it may.`;

export class ConferenceDesk implements Conferences {
  readonly #deps: ConferenceDeskDeps;
  /** By account and name. */
  readonly #open = new Map<string, Promise<Opened>>();
  readonly #live = new Map<string, LiveConference>();

  constructor(deps: ConferenceDeskDeps) {
    this.#deps = deps;
  }

  enter(entry: ConferenceEntry): ConferenceVisit {
    const visit: Visit = { isOver: false };
    this.#begin(entry, visit, BRIDGES_MAX);
    return {
      leave(reason) {
        visit.isOver = true;
        visit.leave?.(reason);
      },
    };
  }

  /** One of this process that is under way. */
  find(conferenceSid: string): LiveConference | undefined {
    const live = this.#live.get(conferenceSid);
    return live?.isOver === false ? live : undefined;
  }

  /** What is asked of a conference that is not here is not for this process. */
  obey({ conferenceSid, callSid, ...what }: AskedOfConference): void {
    const live = this.#live.get(conferenceSid);
    if (!live) return;
    if (callSid === undefined) live.take({ kind: "end", reason: "Api" });
    else if (what.isRemoved) live.take({ kind: "remove", callSid });
    else live.take({ kind: "change", callSid, muted: what.muted, hold: what.hold });
  }

  /** Those of processes that died have no calls any more. */
  endAbandoned(): Promise<void> {
    return this.#deps.ledger.endAbandoned(this.#deps.clock.now(), [...this.#live.keys()]);
  }

  /** When the calls have ended: resolves when the ends of their conferences are stored, or cannot be. */
  async drain(): Promise<void> {
    const stored = Promise.all([...this.#live.values()].map(({ closed }) => closed));
    await new Promise<void>((resolve) => {
      const cancel = this.#deps.clock.after(STORE_MS_MAX, resolve);
      void stored.then(() => {
        cancel();
        resolve();
      });
    });
  }

  #begin(entry: ConferenceEntry, visit: Visit, bridges: number): void {
    this.#enter(entry, visit, bridges).catch((fault: unknown) => {
      const { callSid } = entry;
      this.#deps.log.error({ callSid, err: fault }, "conference not entered");
      if (!visit.isOver) entry.left({ conferenceSid: null, fault: "The conference could not be looked up." });
    });
  }

  async #enter(entry: ConferenceEntry, visit: Visit, bridges: number): Promise<void> {
    let opened = await this.#opened(entry);
    // One that has ended bars its name until that is stored.
    while (opened.ok && opened.value.isOver) {
      await opened.value.closed;
      opened = await this.#opened(entry);
    }
    if (!opened.ok) {
      if (visit.isOver) return;
      if (opened.refusal === "elsewhere") this.#enterElsewhere(entry, visit, bridges);
      else entry.left({ conferenceSid: null, fault: FULL });
      return;
    }
    const live = opened.value;
    if (visit.isOver) return live.endIfEmpty();
    visit.leave = (reason) => live.leave(entry.callSid, reason);
    const fault = live.enter({ ...entry, left: (how) => this.#over(visit, () => entry.left(how)) });
    if (fault !== undefined) entry.left({ conferenceSid: null, fault });
  }

  #enterElsewhere(entry: ConferenceEntry, visit: Visit, bridges: number): void {
    const left: ConferenceEntry["left"] = (how) => this.#over(visit, () => entry.left(how));
    if (bridges === 0) {
      left({ conferenceSid: null, fault: NOT_ENTERED });
      return;
    }
    const { bring, clock } = this.#deps;
    // Its end bars the name until it is stored.
    const again = () => void clock.after(AGAIN_MS, () => visit.isOver || this.#begin(entry, visit, bridges - 1));
    visit.leave = bring({ ...entry, left }, again).leave;
  }

  #over(visit: Visit, left: () => void): void {
    if (visit.isOver) return;
    visit.isOver = true;
    left();
  }

  #opened(entry: ConferenceEntry): Promise<Opened> {
    const key = `${entry.accountSid} ${entry.order.name}`;
    const known = this.#open.get(key);
    if (known) return known;
    const opening = this.#openNew(entry, key);
    this.#open.set(key, opening);
    const forget = () => {
      if (this.#open.get(key) === opening) this.#open.delete(key);
    };
    opening.then((opened) => opened.ok || forget(), forget);
    return opening;
  }

  async #openNew({ accountSid, order, shape }: ConferenceEntry, key: string): Promise<Opened> {
    const { ledger, ...deps } = this.#deps;
    const done = ({ conference: { sid } }: LiveConference) => {
      this.#live.delete(sid);
      this.#open.delete(key);
    };
    const sid = deps.ids.sid("CF");
    const { name } = order;
    const callback = order.callback ? { ...order.callback, shape } : null;
    const live = new LiveConference({ ...deps, ledger, done }, { sid, accountSid, name, callback });
    this.#live.set(sid, live);
    let outcome: Awaited<ReturnType<ConferenceLedger["open"]>> | undefined;
    try {
      outcome = await ledger.open(live.conference, [...this.#live.keys()]);
    } finally {
      if (outcome !== "opened") this.#live.delete(sid);
    }
    if (outcome === "opened") return ok(live);
    return refused(outcome);
  }
}
