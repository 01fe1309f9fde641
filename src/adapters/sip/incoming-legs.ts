// The legs of incoming calls, from the INVITE to their end.
//
// Guarantees: an INVITE that is not admitted is answered and not reported; one that is admitted is reported as
// `incoming` and counts among the trunk's calls until the leg ends.

import type { LegEvent } from "../../wire/sip/leg-state.ts";
import { newCallee } from "../../wire/sip/leg-state.ts";
import type { Admission, Knowledge } from "./admission.ts";
import { reportCommon, type SignallingEvent } from "./dialing.ts";
import { incomingLegOf } from "./incoming.ts";
import { legSettingsOn } from "./invite.ts";
import { type LegDeps, LegRunner } from "./leg-runner.ts";
import { randomText } from "./random-text.ts";
import type { Server } from "./transactions.ts";
import type { Trunk } from "./trunks.ts";

export interface IncomingLegsDeps {
  readonly admission: Admission;
  readonly legs: LegDeps;
  readonly newLegSid: () => string;
  readonly report: (event: SignallingEvent) => void;
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
    const { admission, legs, newLegSid, report } = this.#deps;
    const { message, flow } = server;
    const refusal = admission.refusalOf(server, trunk, knownBy);
    if (refusal) {
      server.respond({ ...refusal, toTag: randomText(6) });
      return;
    }
    const incoming = incomingLegOf(message, flow, trunk, newLegSid());
    const { legSid } = incoming;
    const withheld = incoming.isPrivate ? incoming.from : undefined;
    const order = {
      legSid,
      withheld,
      state: newCallee(legSettingsOn(flow, legs.timers), message, randomText(8)),
      flow,
      trunk,
      onEvent: (event: LegEvent) => this.#onEvent(event, legSid, trunk, server, withheld),
    };
    this.#runners.set(legSid, new LegRunner(legs, order, server));
    trunk.calls++;
    trunk.begun.note(0, legs.elapsedMs());
    legs.onMessage(order, "Received", message.text, flow);
    server.respond({ status: 100 });
    report({ kind: "incoming", ...incoming });
  }

  #onEvent(event: LegEvent, legSid: string, trunk: Trunk, { flow }: Server, withheld: string | undefined): void {
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
        report({ kind: "ended", legSid, by: event.by, sipCode: event.status, reason: event.reason });
        break;
      default:
        reportCommon(report, legSid, event, { trunk, peer: flow, withheld });
    }
  }

  #leave(legSid: string, trunk: Trunk): void {
    if (this.#runners.delete(legSid)) trunk.calls--;
  }
}
