// The legs of incoming calls, and those by which other nodes bring parties to conferences, from INVITE to end.
//
// Guarantees: an INVITE that is not admitted is answered and not reported; one that is admitted is reported as
// `incoming` and counts among the trunk's calls until the leg ends. One of another node is reported as `bridged`.

import type { LegEvent } from "../../wire/sip/leg-state.ts";
import { newCallee } from "../../wire/sip/leg-state.ts";
import { sdpOf } from "../../wire/sip/message.ts";
import type { Admission, Knowledge } from "./admission.ts";
import { reportCommon, type SignallingEvent } from "./dialing.ts";
import type { Flow } from "./flow.ts";
import { incomingLegOf } from "./incoming.ts";
import { legSettingsOn } from "./invite.ts";
import { type LegDeps, LegRunner } from "./leg-runner.ts";
import { nodeTermsOn } from "./node-dialing.ts";
import { randomText } from "./random-text.ts";
import type { Server } from "./transactions.ts";
import type { Trunk } from "./trunks.ts";

export interface IncomingLegsDeps {
  readonly admission: Admission;
  readonly legs: LegDeps;
  readonly newLegSid: () => string;
  readonly report: (event: SignallingEvent) => void;
}

/** A leg that has begun. */
interface Begun {
  readonly legSid: string;
  /** Undefined where the peer is another node. */
  readonly trunk: Trunk | undefined;
  readonly withheld: string | undefined;
}

/** Only another node says why it hangs up in words that count. */
function endOf({ by, status: sipCode, reason, said }: LegEvent & { readonly kind: "ended" }) {
  return { by, sipCode, reason, ...(said !== undefined && { said }) };
}

export class IncomingLegs {
  readonly #deps: IncomingLegsDeps;
  readonly #runners = new Map<string, LegRunner>();

  constructor(deps: IncomingLegsDeps) {
    this.#deps = deps;
  }

  runner(legSid: string): LegRunner | undefined {
    return this.#runners.get(legSid);
  }

  receive(server: Server, trunk: Trunk, knownBy: Knowledge): void {
    const { admission, newLegSid, report } = this.#deps;
    const { message, flow } = server;
    const refusal = admission.refusalOf(server, trunk, knownBy);
    if (refusal) {
      server.respond({ ...refusal, toTag: randomText(6) });
      return;
    }
    const incoming = incomingLegOf(message, flow, trunk, newLegSid());
    const withheld = incoming.isPrivate ? incoming.from : undefined;
    this.#begin(server, { legSid: incoming.legSid, trunk, withheld });
    report({ kind: "incoming", ...incoming });
  }

  /** Another node of ours has a call that is to enter a conference of this one. */
  receiveBridge(server: Server, ticket: string): void {
    const { newLegSid, report } = this.#deps;
    const { message, flow } = server;
    const legSid = newLegSid();
    this.#begin(server, { legSid, trunk: undefined, withheld: undefined });
    report({ kind: "bridged", legSid, ticket, sdp: sdpOf(message), terms: nodeTermsOn(flow) });
  }

  #begin(server: Server, leg: Begun): void {
    const { legs } = this.#deps;
    const { legSid, trunk, withheld } = leg;
    const { message, flow } = server;
    const order = {
      legSid,
      withheld,
      state: newCallee(legSettingsOn(flow, legs.timers), message, randomText(8)),
      flow,
      trunk,
      onEvent: (event: LegEvent) => this.#onEvent(event, leg, flow),
    };
    this.#runners.set(legSid, new LegRunner(legs, order, server));
    if (trunk) trunk.calls++;
    trunk?.begun.note(0, legs.elapsedMs());
    legs.onMessage(order, "Received", message.text, flow);
    server.respond({ status: 100 });
  }

  #onEvent(event: LegEvent, { legSid, trunk, withheld }: Begun, flow: Flow): void {
    const { report } = this.#deps;
    switch (event.kind) {
      case "confirmed":
        report({ kind: "confirmed", legSid, sdp: event.sdp });
        break;
      case "canceled":
        this.#leave(legSid, trunk);
        report({ kind: "canceled", legSid });
        break;
      case "ended":
        this.#leave(legSid, trunk);
        report({ kind: "ended", legSid, ...endOf(event) });
        break;
      default:
        reportCommon(report, legSid, event, { trunk, peer: flow, withheld });
    }
  }

  #leave(legSid: string, trunk: Trunk | undefined): void {
    if (this.#runners.delete(legSid) && trunk) trunk.calls--;
  }
}
