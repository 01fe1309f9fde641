// Runs one leg: carries out the commands of its machine over transactions and flows, and keeps its timer.
//
// Guarantees: whatever the peer names as Contact or Record-Route, requests to a peer that is not a trunk go only to
// addresses that the guard allows, or else over the original flow of the leg.

import { parseUri } from "../../../rules/sip-uri.ts";
import { nextHopOf, requestInDialog } from "../../wire/sip/dialog.ts";
import { stepLeg } from "../../wire/sip/leg.ts";
import { type LegCommand, type LegEvent, type LegInput, type LegState, legTickMs } from "../../wire/sip/leg-state.ts";
import type { SipMessage } from "../../wire/sip/message.ts";
import type { RequestDraft, ResponseDraft } from "../../wire/sip/write.ts";
import { type Due, UNPLANNED } from "./deadlines.ts";
import { answerChallenge } from "./digest-account.ts";
import type { Flow, Hop } from "./flow.ts";
import { contactOn } from "./invite.ts";
import type { Locator } from "./locator.ts";
import type { Client, Server, ServerUser, Transactions, TransactionsDeps } from "./transactions.ts";
import type { TrunkSettings } from "./trunk-settings.ts";
import type { Trunk } from "./trunks.ts";

export interface LegDeps extends TransactionsDeps {
  readonly transactions: Transactions;
  readonly locator: Locator;
  readonly flowTo: (hop: Hop, source: number, tls: TrunkSettings["tls"]) => Flow | undefined;
  readonly mayReach: (hop: Hop) => boolean;
  readonly onMessage: (
    leg: Pick<LegOrder, "legSid" | "withheld">,
    direction: "Sent" | "Received",
    text: string,
    flow: Flow,
  ) => void;
  /** By our tag in its dialogs. */
  readonly legs: Map<string, LegRunner>;
  /** The leg leaves from another of our source addresses; a new offer is wanted. */
  readonly onMoved: (legSid: string, flow: Flow) => void;
  /** Called when a call with an address that is not a trunk's begins (1), or ends (-1). */
  readonly countGuest: (address: string, change: 1 | -1) => void;
}

export interface LegOrder {
  readonly legSid: string;
  /** The caller, when it does not want to be shown. */
  readonly withheld: string | undefined;
  readonly state: LegState;
  readonly flow: Flow;
  /** The peer, if it is a trunk: the guard does not check what it names, and its challenges are answered. */
  readonly trunk: Trunk | undefined;
  readonly onEvent: (event: LegEvent) => void;
}

export class LegRunner implements Due {
  readonly #deps: LegDeps;
  #order: LegOrder;
  readonly #servers = new Map<number, Server>();
  #state: LegState;
  #nextRef = 1;
  #invite: Client | undefined;
  #reinvite: Client | undefined;
  #fault: string | undefined;
  #hopUri = "";
  #hopFlow: Flow;
  /** Keeps requests in order while a name is being looked up. */
  #sending: Promise<void> | undefined;
  /** The peer's addresses, when it is not a trunk. */
  readonly #guests = new Set<string>();
  plannedMs = UNPLANNED;

  constructor(deps: LegDeps, order: LegOrder, invite?: Server) {
    this.#deps = deps;
    this.#order = order;
    this.#state = order.state;
    this.#hopFlow = order.flow;
    deps.legs.set(order.state.localTag, this);
    if (invite) this.#serve(0, invite);
    this.#welcome(order.flow);
  }

  /** The peer's requests that the leg may still have to answer, or to answer again. */
  get heldRequests(): number {
    return this.#servers.size;
  }

  /** Whether a request belongs to one of the leg's dialogs. */
  owns({ callId, fromTag }: SipMessage): boolean {
    const { dialog, early, request, invite } = this.#state;
    if (callId !== (request?.callId ?? invite?.callId ?? dialog?.callId)) return false;
    if (request) return fromTag === request.fromTag;
    return dialog ? dialog.remoteTag === fromTag : early.some((one) => one.dialog.remoteTag === fromTag);
  }

  /** Whether the peer has sent any response to our INVITE. */
  get hasResponse(): boolean {
    return this.#state.hasProvisional || this.#state.phase !== "inviting";
  }

  /** Why the last request had no final response, as a sentence, where that is known. */
  get fault(): string | undefined {
    return this.#fault;
  }

  /** Our INVITE does not reach the peer. */
  giveUp(fault: string): void {
    this.#invite?.fail(fault);
  }

  /**
   * Our source address is gone: a call that is being set up is tried from another one, and one that is established asks
   * for an offer from there.
   */
  async leaveSource(source: number): Promise<void> {
    const { dialog, phase, role } = this.#state;
    if (this.#order.flow.source !== source && this.#hopFlow.source !== source) return;
    if (phase === "inviting" && role === "caller") this.giveUp("Our address is gone from this machine.");
    if (phase !== "up" || !dialog) return;
    const flow = await this.#flowFor(requestInDialog(dialog, { method: "INVITE", cseq: 0, lines: "" }));
    if (flow.source === source || this.#state.phase !== "up") return;
    this.#order = { ...this.#order, flow };
    this.#deps.onMoved(this.#order.legSid, flow);
  }

  /** From where the leg is now. */
  reoffer(sdp: string): void {
    const { flow } = this.#order;
    this.step({ kind: "reoffer", sdp, contact: contactOn(flow), nowMs: this.#deps.elapsedMs() });
  }

  dueMs(): number {
    return legTickMs(this.#state);
  }

  fire(nowMs: number): void {
    this.step({ kind: "tick", nowMs });
  }

  /** A request within a dialog. */
  receive(server: Server): void {
    const ref = this.#nextRef++;
    this.#serve(ref, server);
    this.#deps.onMessage(this.#order, "Received", server.message.text, server.flow);
    this.step({ kind: "request", ref, message: server.message, nowMs: this.#deps.elapsedMs() });
  }

  receiveAck(message: SipMessage, flow: Flow): void {
    this.#deps.onMessage(this.#order, "Received", message.text, flow);
    this.step({ kind: "ack", message, nowMs: this.#deps.elapsedMs() });
    // The leg no longer repeats its 200.
    for (const [ref, { message: request }] of this.#servers) {
      if (request.method === "INVITE" && request.cseq === message.cseq) this.#servers.delete(ref);
    }
  }

  step(input: LegInput): void {
    const [state, commands] = stepLeg(this.#state, input);
    this.#state = state;
    for (const command of commands) this.#carryOut(command);
    if (state.phase === "over") this.#letGo();
    this.#deps.deadlines.plan(this);
  }

  /** Transactions reference the leg for half a minute after its end; they must not keep its whole call in memory. */
  #letGo(): void {
    this.#order = { ...this.#order, state: this.#state, onEvent: () => {} };
  }

  /** What the peer sends from there belongs to a call, so it is not limited as that of an unknown sender. */
  #welcome({ address }: Flow): void {
    if (this.#order.trunk || this.#guests.has(address)) return;
    this.#guests.add(address);
    this.#deps.countGuest(address, 1);
  }

  #serve(ref: number, server: Server): void {
    this.#servers.set(ref, server);
    const user: ServerUser = {
      onAck: (message) => this.receiveAck(message, server.flow),
      onCancel: () => this.step({ kind: "cancel", nowMs: this.#deps.elapsedMs() }),
      onSent: (text, flow) => this.#deps.onMessage(this.#order, "Sent", text, flow),
    };
    server.use(user);
  }

  #carryOut(command: LegCommand): void {
    switch (command.kind) {
      case "send":
        this.#onFlow(command.draft, (flow) => this.#request(command.draft, flow));
        break;
      case "cancel":
        if (this.#invite) this.#deps.transactions.cancel(this.#invite, command.lines);
        break;
      case "acknowledge":
        this.#onFlow(command.draft, (flow) => {
          const text = this.#deps.transactions.acknowledge(command.draft, flow);
          this.#deps.onMessage(this.#order, "Sent", text, flow);
        });
        break;
      case "respond":
        this.#servers.get(command.ref)?.respond(command.draft);
        if (command.ref !== 0 && isDone(command.draft, this.#servers.get(command.ref))) {
          this.#servers.delete(command.ref);
        }
        break;
      case "report":
        this.#order.onEvent(command.event);
        break;
      case "over":
        this.#deps.legs.delete(this.#state.localTag);
        this.#servers.clear();
        for (const address of this.#guests) this.#deps.countGuest(address, -1);
        this.#guests.clear();
        this.#invite?.abandon();
        this.#reinvite?.abandon();
        break;
      default:
        command satisfies never;
    }
  }

  #request(draft: RequestDraft, flow: Flow): void {
    const { method, cseq } = draft;
    const client = this.#deps.transactions.request(draft, flow, {
      onReceived: (message) => this.#deps.onMessage(this.#order, "Received", message.text, flow),
      onResponse: (message) => {
        const line = answerChallenge(this.#order.trunk?.account, message, draft);
        const nowMs = this.#deps.elapsedMs();
        if (line === undefined) this.step({ kind: "response", message, nowMs });
        else this.step({ kind: "authorize", method, cseq, line, nowMs });
      },
      onUnanswered: (status, fault) => {
        this.#fault = fault;
        this.step({ kind: "unanswered", method, cseq, status, nowMs: this.#deps.elapsedMs() });
      },
      onSent: (text) => this.#deps.onMessage(this.#order, "Sent", text, flow),
    });
    if (method !== "INVITE") return;
    // The initial INVITE is the one that a CANCEL can refer to.
    if (cseq === this.#state.invite?.cseq) this.#invite = client;
    else this.#reinvite = client;
  }

  #onFlow(draft: RequestDraft, send: (flow: Flow) => void): void {
    const flow = this.#sending ?? this.#flowFor(draft);
    if (!(flow instanceof Promise)) {
      send(flow);
      return;
    }
    const before = this.#sending ?? Promise.resolve();
    const sending = before.then(async () => send(await this.#flowFor(draft)));
    this.#sending = sending;
    const done = () => {
      if (this.#sending === sending) this.#sending = undefined;
    };
    sending.then(done, done);
  }

  #flowFor(draft: RequestDraft): Flow | Promise<Flow> {
    const { flow } = this.#order;
    const isInitial = draft.method === "INVITE" && draft.cseq === this.#state.invite?.cseq;
    if (isInitial) return flow;
    const kept = draft.routes.length === 0 ? this.#keptFlow() : undefined;
    if (kept) return kept;
    const uri = nextHopOf(draft);
    if (uri === this.#hopUri && this.#hopFlow.isOpen()) return this.#hopFlow;
    const parsed = parseUri(uri);
    if (!parsed || !("host" in parsed)) return flow;
    const hops = this.#deps.locator.locate(parsed);
    return hops instanceof Promise ? hops.then((found) => this.#take(uri, found)) : this.#take(uri, hops);
  }

  /**
   * Over a connection, requests stay on that connection, unless the peer named a proxy. A peer that registers with us
   * may be behind a NAT: the address in its Contact is then one of its own network. It is where it registered last.
   */
  #keptFlow(): Flow | undefined {
    const { flow, trunk } = this.#order;
    const isKept = flow.isReliable || trunk?.settings.registrar !== undefined;
    return isKept && flow.isOpen() ? flow : trunk?.bindings[0]?.flow;
  }

  #take(uri: string, hops: readonly Hop[]): Flow {
    const { flow, trunk } = this.#order;
    const hop = hops.find((one) => trunk || this.#deps.mayReach(one));
    this.#hopUri = uri;
    this.#hopFlow = (hop && this.#deps.flowTo(hop, flow.source, trunk?.settings.tls)) ?? flow;
    if (this.#deps.legs.get(this.#state.localTag) === this) this.#welcome(this.#hopFlow);
    return this.#hopFlow;
  }
}

/** Whether the leg will send nothing more for the request: it repeats only the 200 of an INVITE. */
function isDone({ status }: ResponseDraft, server: Server | undefined): boolean {
  return status >= 300 || (status >= 200 && server?.message.method !== "INVITE");
}
