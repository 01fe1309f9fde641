// Dispatches everything that arrives: finds its sender, whether it is SIP, and the transaction or leg it belongs to.
//
// Guarantees: a sender that is neither a trunk nor part of a call costs one lookup and is counted; it gets no answer,
// except for the digest challenge to an INVITE or a REGISTER if there are trunks without fixed sources. Another node of
// ours is known by the ticket in its INVITE. Nothing that arrives throws: a fault in one message ends that message
// alone.

import type { Log } from "../../base/log.ts";
import { ALLOWED, SUPPORTED } from "../../wire/sip/leg-transition.ts";
import type { SipMessage } from "../../wire/sip/message.ts";
import { type BadMessage, parseMessage } from "../../wire/sip/parse.ts";
import { refusalOf } from "../../wire/sip/request-check.ts";
import { SDP_TYPE, writeResponse } from "../../wire/sip/write.ts";
import type { Knowledge } from "./admission.ts";
import { type Flow, peerText } from "./flow.ts";
import type { LegRunner } from "./leg-runner.ts";
import { randomText } from "./random-text.ts";
import type { Registrar } from "./registrar.ts";
import type { Server, Transactions } from "./transactions.ts";
import type { Trunk, Trunks } from "./trunks.ts";
import type { UnknownSenders } from "./unknown-senders.ts";

export interface EndpointDeps {
  readonly transactions: Transactions;
  readonly legs: ReadonlyMap<string, LegRunner>;
  readonly trunks: Trunks;
  /** Undefined where no trunk can register. */
  readonly registrar?: Registrar;
  readonly unknownSenders: UnknownSenders;
  readonly log: Log;
  /** A new call. */
  readonly onInvite: (server: Server, trunk: Trunk, knownBy: Knowledge) => void;
  /** Undefined where there are no other nodes. */
  readonly bridges?: {
    /** The ticket of an INVITE by which another node brings a party to a conference; undefined: it is anything else. */
    readonly ticketOf: (message: SipMessage) => string | undefined;
    readonly onInvite: (server: Server, ticket: string) => void;
  };
  /** Identifies by digest the sender of an INVITE from an address that no trunk has. */
  readonly trunkByDigest: (message: SipMessage, flow: Flow) => Trunk | "challenged" | undefined;
}

export class Endpoint {
  readonly #deps: EndpointDeps;
  #isLeaving = false;

  constructor(deps: EndpointDeps) {
    this.#deps = deps;
  }

  /** Answers health checks with 503 from now on, so that proxies send new calls elsewhere. */
  leave(): void {
    this.#isLeaving = true;
  }

  receive(text: string, flow: Flow): void {
    try {
      this.#receive(text, flow);
    } catch (error) {
      this.#deps.log.error({ err: error, peer: peerText(flow) }, "a SIP message could not be handled");
    }
  }

  #receive(text: string, flow: Flow): void {
    const { trunks, registrar, unknownSenders } = this.#deps;
    const trunk = trunks.ofSource(flow.address, flow.isReliable ? undefined : flow.port) ?? registrar?.trunkOf(flow);
    if (!trunk && !unknownSenders.mayBeRead(flow.address)) return;
    const parsed = parseMessage(text);
    if (!parsed.ok) {
      if (trunk) this.#refuseBad(parsed.refusal, flow);
      else unknownSenders.drop("malformed");
      return;
    }
    const { message } = parsed;
    if (message.kind === "response") {
      if (!this.#deps.transactions.receiveResponse(message) && !trunk) unknownSenders.drop("response");
    } else this.#receiveRequest(message, flow, trunk);
  }

  #receiveRequest(message: SipMessage, flow: Flow, trunk: Trunk | undefined): void {
    const { transactions } = this.#deps;
    const known = transactions.serverOf(message);
    if (known) {
      known.receive(message);
      return;
    }
    if (message.method === "CANCEL") {
      this.#cancel(message, flow, trunk);
      return;
    }
    if (message.toTag !== "") {
      this.#receiveInDialog(message, flow, trunk);
      return;
    }
    if (message.method === "ACK") return;
    if (this.#bridge(message, flow)) return;
    if (message.method === "REGISTER" && this.#deps.registrar?.receive(message, flow)) return;
    if (trunk) {
      this.#receiveNew(message, flow, (server) => this.#deps.onInvite(server, trunk, "address"));
      return;
    }
    const sender = message.method === "INVITE" ? this.#deps.trunkByDigest(message, flow) : undefined;
    if (sender === undefined) this.#deps.unknownSenders.drop("request");
    else if (sender !== "challenged") {
      this.#receiveNew(message, flow, (server) => this.#deps.onInvite(server, sender, "digest"));
    }
  }

  /** Whether another node of ours has sent it: its ticket counts for more than its address, which may be a trunk's. */
  #bridge(message: SipMessage, flow: Flow): boolean {
    const { bridges } = this.#deps;
    const ticket = message.method === "INVITE" ? bridges?.ticketOf(message) : undefined;
    if (ticket === undefined) return false;
    this.#receiveNew(message, flow, (server) => bridges?.onInvite(server, ticket));
    return true;
  }

  /** RFC 3261 9.2: a CANCEL has its own answer; the INVITE gets 487 from its leg. */
  #cancel(message: SipMessage, flow: Flow, trunk: Trunk | undefined): void {
    const invite = this.#deps.transactions.canceledBy(message);
    if (!invite && !trunk) {
      this.#deps.unknownSenders.drop("request");
      return;
    }
    this.#answer(message, flow, invite ? 200 : 481);
    invite?.cancel();
  }

  #receiveInDialog(message: SipMessage, flow: Flow, trunk: Trunk | undefined): void {
    const { transactions, legs } = this.#deps;
    const leg = legs.get(message.toTag);
    if (!leg?.owns(message)) {
      if (message.method === "ACK") return;
      if (trunk) this.#answer(message, flow, 481);
      else this.#deps.unknownSenders.drop("request");
      return;
    }
    if (message.method === "ACK") {
      leg.receiveAck(message, flow);
      return;
    }
    const server = transactions.accept(message, flow);
    if (server) leg.receive(server);
  }

  #receiveNew(message: SipMessage, flow: Flow, onInvite: (server: Server) => void): void {
    const refusal = refusalOf(message);
    if (refusal) {
      this.#answer(message, flow, refusal.status, refusal.lines);
      return;
    }
    if (message.method === "OPTIONS") {
      // RFC 3261 11.2: the status is the one that an INVITE would get.
      const status = this.#isLeaving ? 503 : 200;
      this.#answer(message, flow, status, `Allow: ${ALLOWED}\r\nAccept: ${SDP_TYPE}\r\nSupported: ${SUPPORTED}\r\n`);
      return;
    }
    if (message.method !== "INVITE") {
      this.#answer(message, flow, 481);
      return;
    }
    // RFC 3261 8.2.2.2: the same request by another path.
    if (this.#deps.transactions.isMerged(message)) {
      this.#answer(message, flow, 482);
      return;
    }
    const server = this.#deps.transactions.accept(message, flow);
    if (server) onInvite(server);
  }

  /** In a transaction, so that a repeated request gets the same answer. */
  #answer(message: SipMessage, flow: Flow, status: number, lines = ""): void {
    const server = this.#deps.transactions.accept(message, flow);
    server?.respond({ status, toTag: randomText(6), lines });
  }

  /** RFC 3261 16.3, 18.3: a malformed request is answered without a transaction; a malformed response is dropped. */
  #refuseBad({ method, headers, status, reason }: BadMessage, flow: Flow): void {
    if (method === undefined || !headers.includes("via")) return;
    const text = writeResponse({ headers }, flow, { status, reason, toTag: randomText(6) });
    flow.send(Buffer.from(text, "latin1"));
  }
}
