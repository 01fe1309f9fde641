// The conferences of this process, by account and name: opens one when its first call enters, and passes on what is
// asked of participants. A conference is in one process: calls of another one of the same database are refused, because
// their audio is not brought here.

import { ok, type Result, refused } from "../../base/result.ts";
import { CONFERENCES_MAX } from "./conference.ts";
import { LiveConference, type LiveConferenceDeps } from "./live-conference.ts";
import type { AskedOfConference, ConferenceEntry, ConferenceLedger, Conferences, ConferenceVisit } from "./ports.ts";

export interface ConferenceDeskDeps extends Omit<LiveConferenceDeps, "done" | "ledger"> {
  readonly ledger: ConferenceLedger;
}

/** Storing the ends of conferences must take no longer. */
const STORE_MS_MAX = 1_000;

type Opened = Result<LiveConference, string>;

const ELSEWHERE = "The conference is in another process of this server, and audio is not mixed across processes.";
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
    const visit = { isOver: false, live: undefined as LiveConference | undefined };
    this.#enter(entry, visit).catch((fault: unknown) => {
      const { callSid } = entry;
      this.#deps.log.error({ callSid, err: fault }, "conference not entered");
      if (!visit.isOver) entry.left({ conferenceSid: null, fault: "The conference could not be looked up." });
    });
    return {
      leave(reason) {
        visit.isOver = true;
        visit.live?.leave(entry.callSid, reason);
      },
    };
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

  async #enter(entry: ConferenceEntry, visit: { isOver: boolean; live: LiveConference | undefined }): Promise<void> {
    let opened = await this.#opened(entry);
    // One that has ended bars its name until that is stored.
    while (opened.ok && opened.value.isOver) {
      await opened.value.closed;
      opened = await this.#opened(entry);
    }
    if (!opened.ok) {
      if (!visit.isOver) entry.left({ conferenceSid: null, fault: opened.refusal });
      return;
    }
    const live = opened.value;
    if (visit.isOver) return live.endIfEmpty();
    visit.live = live;
    const fault = live.enter({ ...entry, left: (how) => this.#over(visit, () => entry.left(how)) });
    if (fault !== undefined) entry.left({ conferenceSid: null, fault });
  }

  #over(visit: { isOver: boolean }, left: () => void): void {
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
    return refused(outcome === "full" ? FULL : ELSEWHERE);
  }
}
