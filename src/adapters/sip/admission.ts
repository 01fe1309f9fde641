// Decides which new calls are accepted: those that a trunk proves by its address or its credentials, within its limits.
//
// Guarantees: a trunk with `callers` brings a call only with the credentials of one of them, from any address;
// credentials are checked once, because a nonce count is valid once. A challenge to an unknown sender leaves no state.

import type { SipMessage } from "../../wire/sip/message.ts";
import { type CallerDigest, sendChallenge } from "./caller-digest.ts";
import type { Flow } from "./flow.ts";
import type { Server } from "./transactions.ts";
import type { Trunk, Trunks } from "./trunks.ts";

/** How we know which trunk sends an INVITE. */
export type Knowledge = "address" | "digest";

export class Admission {
  readonly #trunks: Trunks;
  readonly #elapsedMs: () => number;
  readonly #digest: CallerDigest;

  constructor(trunks: Trunks, digest: CallerDigest, elapsedMs: () => number) {
    this.#trunks = trunks;
    this.#digest = digest;
    this.#elapsedMs = elapsedMs;
  }

  /** Identifies by digest a sender that is not known by address, for trunks that have no fixed sources. */
  trunkByDigest(message: SipMessage, flow: Flow): Trunk | "challenged" | undefined {
    const { roaming } = this.#trunks;
    if (roaming.length === 0) return undefined;
    const verdict = this.#digest.check(
      message,
      flow.address,
      roaming.flatMap(({ callers }) => callers),
    );
    if (verdict.kind === "challenge") {
      sendChallenge(message, flow, verdict.lines);
      return "challenged";
    }
    return roaming.find(({ callers }) => callers.some(({ username }) => username === verdict.username));
  }

  /** Why a new call is refused; undefined when it is accepted. */
  refusalOf(
    { message, flow }: Server,
    trunk: Trunk,
    knownBy: Knowledge,
  ): { readonly status: number; readonly lines: string } | undefined {
    if (knownBy === "address" && trunk.callers.length > 0) {
      const verdict = this.#digest.check(message, flow.address, trunk.callers);
      if (verdict.kind === "challenge") return { status: 401, lines: verdict.lines };
    }
    const isBusy = trunk.isStopped || !trunk.hasCapacity || !trunk.mayCall(this.#elapsedMs());
    return isBusy ? { status: 503, lines: "Retry-After: 5\r\n" } : undefined;
  }
}
