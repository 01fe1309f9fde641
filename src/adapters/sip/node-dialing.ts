// Dials another node of the same installation: one INVITE to the place that its record names, over UDP, which a ticket
// opens. No trunk, no redirection, no other address: what does not answer there is not reached.
//
// Guarantees: the leg ends with exactly one `refused` or `ended`.

import { isIP } from "node:net";
import { hostText, parseHostPort, URI_LENGTH_MAX } from "../../../rules/sip-uri.ts";
import type { MediaTerms, NodeDialOrder } from "../../domain/voice/ports.ts";
import { type LegEvent, newCaller } from "../../wire/sip/leg-state.ts";
import type { RequestDraft } from "../../wire/sip/write.ts";
import { type DialDeps, reportCommon, termsOf } from "./dialing.ts";
import type { Flow, Hop } from "./flow.ts";
import { legSettingsOn } from "./invite.ts";
import { LegRunner } from "./leg-runner.ts";
import { randomText } from "./random-text.ts";

const NOT_REACHED = 503;

export class NodeDialing {
  readonly #deps: DialDeps;
  readonly #order: NodeDialOrder;
  readonly #onOver: () => void;
  #runner: LegRunner | undefined;
  #isOver = false;

  constructor(deps: DialDeps, order: NodeDialOrder, onOver: () => void) {
    this.#deps = deps;
    this.#order = order;
    this.#onOver = onOver;
  }

  get runner(): LegRunner | undefined {
    return this.#runner;
  }

  start(): void {
    const { legs, sourcesFor } = this.#deps;
    const { place, legSid, offer } = this.#order;
    const hop = hopOf(place);
    const source = hop && sourcesFor(hop.family)[0];
    const flow = source === undefined ? undefined : legs.flowTo(hop as Hop, source, undefined);
    if (!hop || !flow) {
      this.#refuse(NOT_REACHED, `the node at ${place} cannot be reached from our addresses`, true);
      return;
    }
    const localTag = randomText(8);
    const runner = new LegRunner(legs, {
      legSid,
      withheld: undefined,
      state: newCaller(
        legSettingsOn(flow, legs.timers),
        inviteOf(this.#order, flow, localTag, offer(nodeTermsOn(flow))),
        localTag,
      ),
      flow,
      trunk: undefined,
      onEvent: (event) => this.#onEvent(event, hop),
    });
    this.#runner = runner;
    runner.step({ kind: "dial", nowMs: legs.elapsedMs() });
  }

  hangUp(reason: string | undefined): void {
    if (this.#isOver) return;
    if (this.#runner) this.#runner.step({ kind: "hangUp", reason, nowMs: this.#deps.legs.elapsedMs() });
    else {
      this.#over();
      this.#deps.report({ kind: "ended", legSid: this.#order.legSid, by: "us", reason });
    }
  }

  #onEvent(event: LegEvent, hop: Hop): void {
    const { report } = this.#deps;
    const { legSid } = this.#order;
    switch (event.kind) {
      case "answered":
        report({ kind: "answered", legSid, sdp: event.sdp });
        break;
      case "failed":
        this.#refuse(event.status, `the node at ${this.#order.place} answered ${event.status}`, !event.response);
        break;
      case "ended":
        this.#over();
        report({ kind: "ended", legSid, by: event.by, sipCode: event.status, reason: event.reason });
        break;
      default:
        reportCommon(report, legSid, event, { trunk: undefined, peer: hop, withheld: undefined });
    }
  }

  #refuse(sipCode: number, reason: string, isOurs: boolean): void {
    const { log, report } = this.#deps;
    const { legSid } = this.#order;
    log.warn({ legSid, sipCode, reason }, "another node did not take a party of a conference");
    this.#over();
    report({ kind: "refused", legSid, sipCode, reason, ...(isOurs && { isOurs }) });
  }

  #over(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#onOver();
  }
}

/** Nodes trust each other's SDP; their network is the operator's. */
export function nodeTermsOn(flow: Flow): MediaTerms {
  return { ...termsOf(flow, undefined, false), isTrusted: true };
}

const CONFERENCE_URI = /^sip:(conference-[^@]+)@/;

/** The ticket that a request URI names, if it is a genuine one. */
export function ticketOf(uri: string, read: ((user: string) => string | undefined) | undefined): string | undefined {
  const user = uri.length <= URI_LENGTH_MAX ? CONFERENCE_URI.exec(uri)?.[1] : undefined;
  return user === undefined ? undefined : read?.(user);
}

function hopOf(place: string): Hop | undefined {
  const { host, port } = parseHostPort(place) ?? {};
  const family = isIP(host ?? "");
  if (host === undefined || port === undefined || family === 0) return undefined;
  return { transport: "UDP", address: host, port, family: family as 4 | 6, servername: host, server: host };
}

function inviteOf({ ticket, place }: NodeDialOrder, flow: Flow, localTag: string, sdp: string): RequestDraft {
  const uri = `sip:${ticket}@${place}`;
  const own = hostText(flow.localAddress);
  return {
    method: "INVITE",
    uri,
    routes: [],
    maxForwards: 1,
    from: `<sip:conference@${own}>;tag=${localTag}`,
    to: `<${uri}>`,
    callId: `${randomText(12)}@${own}`,
    cseq: 1,
    lines: "",
    body: sdp,
  };
}
