// The legs between this process and other nodes: those that bring calls of ours to conferences of theirs, and those
// that bring their parties to conferences of ours.
//
// A leg lasts as long as both records are under way: the process that has the call looks at that of the conference, and
// the one that has the conference at that of the call. So the death of either node ends it within seconds, without BYE.

import type { Clock } from "../../base/clock.ts";
import type { Ids } from "../../base/ids.ts";
import type { Log } from "../../base/log.ts";
import { BridgedParty } from "./bridged-party.ts";
import { LiveBridge } from "./live-bridge.ts";
import type { LiveConference } from "./live-conference.ts";
import type {
  BridgeLedger,
  BridgeSignalling,
  CallLedger,
  ConferenceEntry,
  ConferenceVisit,
  MediaEngine,
  MediaInput,
  SignallingInput,
} from "./ports.ts";

export interface ConferenceBridgesDeps {
  readonly signalling: BridgeSignalling;
  readonly media: Pick<MediaEngine, "open">;
  readonly ledger: BridgeLedger;
  readonly calls: Pick<CallLedger, "note">;
  /** A conference of this process that is under way. */
  readonly find: (conferenceSid: string) => LiveConference | undefined;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly log: Log;
}

export class ConferenceBridges {
  readonly #deps: ConferenceBridgesDeps;
  /** By the sids of their legs. */
  readonly #bridges = new Map<string, LiveBridge>();
  readonly #parties = new Map<string, BridgedParty>();
  #whenEmpty: (() => void) | undefined;

  constructor(deps: ConferenceBridgesDeps) {
    this.#deps = deps;
  }

  /** Whose ends end legs of ours. */
  get watched(): { readonly conferenceSids: readonly string[]; readonly callSids: readonly string[] } {
    return {
      conferenceSids: [...this.#bridges.values()].flatMap(({ conferenceSid }) => conferenceSid ?? []),
      callSids: [...this.#parties.values()].flatMap(({ callSid }) => callSid ?? []),
    };
  }

  /** Brings a call to the node that has its conference. `openHere` is called where none has it any more. */
  bring(entry: ConferenceEntry, openHere: () => void): ConferenceVisit {
    const done = ({ legSid }: LiveBridge) => void this.#bridges.delete(legSid);
    const bridge = new LiveBridge({ ...this.#deps, done }, this.#deps.ids.sid("LG"), entry, openHere);
    this.#bridges.set(bridge.legSid, bridge);
    bridge.begin();
    return { leave: (reason) => bridge.take({ kind: "leave", reason }) };
  }

  /** Whether the input is of a leg between nodes. */
  takeSignal(input: SignallingInput): boolean {
    if (input.kind === "incoming") return false;
    if (input.kind === "bridged") {
      const party = new BridgedParty(this.#partyDeps(), input);
      this.#parties.set(input.legSid, party);
      party.begin();
      return true;
    }
    const leg = this.#bridges.get(input.legSid) ?? this.#parties.get(input.legSid);
    leg?.takeSignal(input);
    return leg !== undefined;
  }

  /** Whether the input is of a leg between nodes. Both ends send RTCP, so silence means a broken network. */
  takeMedia({ kind, legSid }: MediaInput): boolean {
    const [bridge, party] = [this.#bridges.get(legSid), this.#parties.get(legSid)];
    if (kind === "inactive") {
      bridge?.take({ kind: "lost" });
      party?.end();
    }
    return bridge !== undefined || party !== undefined;
  }

  /** Ends the legs whose conference or call is over. */
  async look(): Promise<void> {
    const over = await this.#deps.ledger.over(this.watched);
    for (const bridge of [...this.#bridges.values()]) {
      if (bridge.conferenceSid !== null && over.has(bridge.conferenceSid)) bridge.take({ kind: "lost" });
    }
    for (const party of [...this.#parties.values()]) {
      if (party.callSid !== undefined && over.has(party.callSid)) party.end();
    }
  }

  /** Resolves when no party of another node is in a conference here; those that stay longer than `ms` are let go. */
  async drain(ms: number): Promise<void> {
    if (this.#parties.size === 0) return;
    const { clock } = this.#deps;
    const isEmpty = new Promise<void>((resolve) => {
      this.#whenEmpty = resolve;
    });
    const cancel = clock.after(ms, () => {
      for (const party of [...this.#parties.values()]) party.end();
    });
    await isEmpty;
    cancel();
  }

  #partyDeps() {
    const { calls, clock, log } = this.#deps;
    return {
      ...this.#deps,
      replace: (party: BridgedParty) => this.#replace(party),
      waitFailed(callSid: string, waitUrl: string, reason: string) {
        const step = { at: clock.now(), step: "conference" as const, details: { waitUrl, reason } };
        calls
          .note(callSid, step)
          .catch((fault: Error) => log.warn({ callSid, reason: fault.message }, "step not stored"));
      },
      done: ({ legSid }: BridgedParty) => {
        this.#parties.delete(legSid);
        if (this.#parties.size === 0) this.#whenEmpty?.();
      },
    };
  }

  #replace(party: BridgedParty): void {
    for (const other of [...this.#parties.values()]) if (other !== party && party.isSameCallAs(other)) other.end();
  }
}
