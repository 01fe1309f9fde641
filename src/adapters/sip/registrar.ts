// Takes REGISTER from trunks that register with us, and knows which trunk a flow belongs to.
//
// Guarantees: a sender that has not proven a user by digest learns only that a registrar is here, changes nothing and
// leaves no state. Without trunks that register, no REGISTER is answered.

import type { SipMessage } from "../../wire/sip/message.ts";
import { extensionRefusal } from "../../wire/sip/request-check.ts";
import { type CallerDigest, sendChallenge } from "./caller-digest.ts";
import { type Flow, peerText } from "./flow.ts";
import { randomText } from "./random-text.ts";
import { RegisteredTrunk, type RegisteredTrunkDeps } from "./registered-trunk.ts";
import type { Trunk, Trunks } from "./trunks.ts";

export interface RegistrarDeps extends RegisteredTrunkDeps {
  readonly trunks: Trunks;
  readonly digest: CallerDigest;
}

export class Registrar {
  readonly trunks: readonly RegisteredTrunk[];
  readonly #deps: RegistrarDeps;

  constructor(deps: RegistrarDeps) {
    this.#deps = deps;
    this.trunks = deps.trunks.registrants.map((trunk) => new RegisteredTrunk(deps, trunk));
  }

  /** The trunk that is registered from there. */
  trunkOf(flow: Flow): Trunk | undefined {
    return this.trunks.find(({ trunk }) => trunk.bindings.some((one) => isSameFlow(one.flow, flow)))?.trunk;
  }

  /** False when no trunk may register. */
  receive(message: SipMessage, flow: Flow): boolean {
    if (this.trunks.length === 0) return false;
    const accounts = this.trunks.flatMap(({ trunk }) => trunk.registrant ?? []);
    const verdict = this.#deps.digest.check(message, flow.address, accounts);
    if (verdict.kind === "challenge") {
      sendChallenge(message, flow, verdict.lines);
      return true;
    }
    const registered = this.trunks.find(({ trunk }) => trunk.registrant?.username === verdict.username);
    const server = this.#deps.transactions.accept(message, flow);
    const answer = extensionRefusal(message) ?? registered?.receive(message, flow);
    if (answer) server?.respond({ ...answer, toTag: randomText(6) });
    return true;
  }
}

/** Flows over UDP are made anew for the same peer; a connection is what it is. */
function isSameFlow(one: Flow, other: Flow): boolean {
  if (one.isReliable || other.isReliable) return one === other;
  return one.source === other.source && peerText(one) === peerText(other);
}
