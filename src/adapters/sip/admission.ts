// Decides which new calls are taken: whom a trunk's address or its credentials prove, within what the trunk may do.
//
// Guarantees: a trunk with `callers` brings a call only with the credentials of one of them, wherever it comes from;
// credentials are looked at once, because each counts once. Nothing is kept of somebody who is asked for them.

import type { SipMessage } from "../../wire/sip/message.ts";
import { writeResponse } from "../../wire/sip/write.ts";
import { CallerDigest } from "./caller-digest.ts";
import type { Flow } from "./flow.ts";
import { randomText } from "./random-text.ts";
import type { Server } from "./transactions.ts";
import type { Trunk, Trunks } from "./trunks.ts";

/** How we know which trunk sends an INVITE. */
export type Knowledge = "address" | "digest";

export class Admission {
  readonly #trunks: Trunks;
  readonly #elapsedMs: () => number;
  readonly #digest: CallerDigest;

  constructor(trunks: Trunks, elapsedMs: () => number) {
    this.#trunks = trunks;
    this.#elapsedMs = elapsedMs;
    this.#digest = new CallerDigest(elapsedMs);
  }

  /** By digest: who is not known by address may prove it, for trunks that have no fixed sources. */
  trunkOfStranger(message: SipMessage, flow: Flow): Trunk | "challenged" | undefined {
    const { roaming } = this.#trunks;
    if (roaming.length === 0) return undefined;
    const verdict = this.#digest.check(
      message,
      roaming.flatMap(({ callers }) => callers),
    );
    if (verdict.kind === "challenge") {
      challenge(message, flow, verdict.lines);
      return "challenged";
    }
    return roaming.find(({ callers }) => callers.some(({ username }) => username === verdict.username));
  }

  /** Why a new call is not taken; undefined when it is. */
  refusalOf(
    { message }: Server,
    trunk: Trunk,
    knownBy: Knowledge,
  ): { readonly status: number; readonly lines: string } | undefined {
    if (knownBy === "address" && trunk.callers.length > 0) {
      const verdict = this.#digest.check(message, trunk.callers);
      if (verdict.kind === "challenge") return { status: 401, lines: verdict.lines };
    }
    const isBusy = trunk.isStopped || !trunk.hasRoom || !trunk.mayCall(this.#elapsedMs());
    return isBusy ? { status: 503, lines: "Retry-After: 5\r\n" } : undefined;
  }
}

/** Without a transaction: nothing is kept for somebody who may be anybody. */
function challenge(message: SipMessage, flow: Flow, lines: string): void {
  const draft = { status: 401, toTag: randomText(6), lines, contentType: "", body: "" };
  flow.send(Buffer.from(writeResponse(message, flow, draft), "latin1"));
}
