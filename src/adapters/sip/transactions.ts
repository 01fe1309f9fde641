// The table of transactions: runs the machines of wire/sip over flows, keeps their timers, and matches what arrives.
//
// Guarantees: every request sent through `request` ends in exactly one final response or one `onUnanswered`; an
// incoming request is passed up once, however often it is repeated; the table is bounded, and empties by itself.

import { createHash } from "node:crypto";
import {
  type ClientCommand,
  type ClientInput,
  type ClientTransaction,
  clientTickMs,
  newClientTransaction,
  stepClient,
} from "../../wire/sip/client-transaction.ts";
import { headerOf, type SipMessage } from "../../wire/sip/message.ts";
import { parameterOf } from "../../wire/sip/parameters.ts";
import {
  newServerTransaction,
  type ServerInput,
  type ServerTransaction,
  serverTickMs,
  stepServer,
} from "../../wire/sip/server-transaction.ts";
import { NEVER_MS, type SipTimers } from "../../wire/sip/timers.ts";
import { MAGIC_COOKIE } from "../../wire/sip/via.ts";
import { type RequestDraft, type ResponseDraft, writeRequest, writeResponse } from "../../wire/sip/write.ts";
import { type Deadlines, type Due, UNPLANNED } from "./deadlines.ts";
import type { Flow } from "./flow.ts";
import { randomText } from "./random-text.ts";

export interface ClientUser {
  onResponse(message: SipMessage): void;
  /** Every response that arrives, repeated ones included, before it is processed. */
  readonly onReceived?: ((message: SipMessage) => void) | undefined;
  /** 408: no final response in time. 503: the request could not be sent. `fault`: what is known of it, a sentence. */
  onUnanswered(status: 408 | 503, fault: string | undefined): void;
  /** Every message of the transaction, for the record of the call. */
  readonly onSent?: ((text: string, flow: Flow) => void) | undefined;
}

export interface ServerUser {
  /** ACK of a 2xx. */
  onAck(message: SipMessage): void;
  onCancel(): void;
  readonly onSent?: ((text: string, flow: Flow) => void) | undefined;
}

export interface TransactionsDeps {
  readonly deadlines: Deadlines;
  readonly elapsedMs: () => number;
  readonly timers: SipTimers;
}

/** Above this many server transactions, new requests are dropped, as if the network had lost them. */
const SERVERS_MAX = 200_000;

export class Transactions {
  readonly deps: TransactionsDeps;
  readonly #clients = new Map<string, Client>();
  readonly #servers = new Map<string, Server>();
  /** INVITEs that begin a call, to detect those that arrive twice by different paths. */
  readonly #beginnings = new Set<string>();

  constructor(deps: TransactionsDeps) {
    this.deps = deps;
  }

  get count(): number {
    return this.#clients.size + this.#servers.size;
  }

  /** Sends the request in a transaction of its own. */
  request(draft: RequestDraft, flow: Flow, user: ClientUser): Client {
    return this.#begin(draft, flow, user, newBranch());
  }

  #begin(draft: RequestDraft, flow: Flow, user: ClientUser, branch: string): Client {
    const client = new Client(this, draft, flow, user, branch);
    this.#clients.set(client.key, client);
    client.start();
    return client;
  }

  /** RFC 3261 9.1: a transaction of its own with the branch of the INVITE. */
  cancel(invite: Client, lines: string): void {
    const cancel = { ...invite.draft, method: "CANCEL", lines, body: "" };
    const { onReceived, onSent } = invite.user;
    const user = { onResponse: () => {}, onUnanswered: () => {}, onReceived, onSent };
    this.#begin(cancel, invite.flow, user, invite.branch);
  }

  /**
   * The ACK of a 2xx: outside of any transaction. RFC 3261 13.2.2.4: when the 2xx is repeated, so is its ACK, with the
   * same branch.
   */
  acknowledge(draft: RequestDraft, flow: Flow): string {
    const text = writeRequest(draft, viaOf(flow, branchOfAck(draft)));
    flow.send(octetsOf(text));
    return text;
  }

  /** False when no transaction waits for it. */
  receiveResponse(message: SipMessage): boolean {
    const client = this.#clients.get(`${message.via.branch} ${message.method}`);
    client?.receive(message);
    return client !== undefined;
  }

  /** The transaction that the request belongs to, if there is one already. */
  serverOf(message: SipMessage): Server | undefined {
    return this.#servers.get(serverKey(message, message.method === "ACK" ? "INVITE" : message.method));
  }

  /** The INVITE that a CANCEL cancels. */
  canceledBy(message: SipMessage): Server | undefined {
    return this.#servers.get(serverKey(message, "INVITE"));
  }

  /** Undefined when there are too many transactions. */
  accept(message: SipMessage, flow: Flow): Server | undefined {
    if (this.#servers.size >= SERVERS_MAX) return undefined;
    const server = new Server(this, message, answerFlow(message, flow), serverKey(message, message.method));
    this.#servers.set(server.key, server);
    if (message.method === "INVITE" && message.toTag === "") this.#beginnings.add(beginningOf(message));
    return server;
  }

  /** Whether another transaction holds the same INVITE. */
  isMerged(message: SipMessage): boolean {
    return this.#beginnings.has(beginningOf(message));
  }

  forgetClient(key: string): void {
    this.#clients.delete(key);
  }

  forgetServer({ key, message }: Server): void {
    this.#servers.delete(key);
    if (message.method === "INVITE" && message.toTag === "") this.#beginnings.delete(beginningOf(message));
  }
}

/** Made whenever a text is sent: transactions keep it for half a minute, and few send it again. */
function octetsOf(text: string): Uint8Array {
  return Buffer.from(text, "latin1");
}

function newBranch(): string {
  return `${MAGIC_COOKIE}${randomText()}`;
}

function branchOfAck({ callId, from, to, cseq }: RequestDraft): string {
  const digest = createHash("sha256").update(`${callId} ${from} ${to} ${cseq}`).digest("hex");
  return `${MAGIC_COOKIE}${digest.slice(0, 20)}`;
}

function viaOf(flow: Flow, branch: string): string {
  return `SIP/2.0/${flow.transport} ${flow.sentBy};branch=${branch};rport`;
}

function beginningOf({ callId, cseq, fromTag }: SipMessage): string {
  return `${callId} ${cseq} ${fromTag}`;
}

/** RFC 3261 18.2.2, RFC 3581 4: without `rport` the answer goes to the port that Via names. */
function answerFlow({ via }: SipMessage, flow: Flow): Flow {
  if (!flow.toPort || parameterOf(via.parameters, "rport") !== undefined) return flow;
  const port = via.port ?? 5060;
  return port === flow.port || port === 0 ? flow : flow.toPort(port);
}

/** RFC 3261 17.2.3; the second form is for clients that do not use the magic cookie. */
function serverKey({ via, callId, cseq, fromTag }: SipMessage, method: string): string {
  if (via.branch.startsWith(MAGIC_COOKIE)) return `${via.branch} ${via.host}:${via.port ?? ""} ${method}`;
  return `${callId} ${cseq} ${fromTag} ${via.host}:${via.port ?? ""} ${method}`;
}

export class Client implements Due {
  readonly draft: RequestDraft;
  readonly flow: Flow;
  readonly user: ClientUser;
  readonly branch: string;
  readonly key: string;
  readonly #table: Transactions;
  readonly #text: string;
  #state: ClientTransaction;
  #fault: string | undefined;
  plannedMs = UNPLANNED;

  constructor(table: Transactions, draft: RequestDraft, flow: Flow, user: ClientUser, branch: string) {
    this.#table = table;
    this.draft = draft;
    this.flow = flow;
    this.user = user;
    this.branch = branch;
    this.key = `${branch} ${draft.method}`;
    this.#text = writeRequest(draft, viaOf(flow, branch));
    const { elapsedMs, timers } = table.deps;
    this.#state = newClientTransaction(draft.method === "INVITE", flow.isReliable, elapsedMs(), timers);
  }

  start(): void {
    this.#send();
    this.#table.deps.deadlines.plan(this);
  }

  dueMs(): number {
    return clientTickMs(this.#state);
  }

  fire(nowMs: number): void {
    this.#step({ kind: "tick", nowMs }, undefined);
  }

  abandon(): void {
    this.#step({ kind: "abandon", nowMs: this.#table.deps.elapsedMs() }, undefined);
  }

  receive(message: SipMessage): void {
    this.user.onReceived?.(message);
    this.#step({ kind: "response", status: message.status, nowMs: this.#table.deps.elapsedMs() }, message);
  }

  #send(): void {
    this.user.onSent?.(this.#text, this.flow);
    this.flow.send(octetsOf(this.#text), (fault) => this.fail(fault));
  }

  /** The request did not reach the peer. */
  fail(fault: string | undefined): void {
    this.#fault = fault;
    this.#step({ kind: "transportFault", nowMs: this.#table.deps.elapsedMs() }, undefined);
  }

  #step(input: ClientInput, message: SipMessage | undefined): void {
    const [state, commands] = stepClient(this.#state, input);
    this.#state = state;
    for (const command of commands) this.#carryOut(command, message);
    this.#table.deps.deadlines.plan(this);
  }

  #carryOut(command: ClientCommand, message: SipMessage | undefined): void {
    switch (command) {
      case "resend":
        this.#send();
        break;
      case "deliver":
        if (message) this.user.onResponse(message);
        break;
      case "acknowledge":
        if (message) this.#acknowledge(message);
        break;
      case "timedOut":
        this.user.onUnanswered(408, this.flow.fault?.());
        break;
      case "unreachable":
        this.user.onUnanswered(503, this.#fault ?? this.flow.fault?.());
        break;
      case "terminated":
        this.#table.forgetClient(this.key);
        break;
      default:
        command satisfies never;
    }
  }

  /** RFC 3261 17.1.1.3: the ACK of a refusal has the branch, route and credentials of its INVITE. */
  #acknowledge(message: SipMessage): void {
    const to = headerOf(message, "to") ?? this.draft.to;
    const ack = { ...this.draft, method: "ACK", to, lines: "", body: "" };
    const text = writeRequest(ack, viaOf(this.flow, this.branch));
    this.user.onSent?.(text, this.flow);
    this.flow.send(octetsOf(text));
  }
}

export class Server implements Due {
  readonly message: SipMessage;
  readonly flow: Flow;
  readonly key: string;
  readonly #table: Transactions;
  #state: ServerTransaction;
  #user: ServerUser | undefined;
  /** The response that is sent again when the request is repeated. */
  #last = "";
  plannedMs = UNPLANNED;

  constructor(table: Transactions, message: SipMessage, flow: Flow, key: string) {
    this.#table = table;
    this.message = message;
    this.flow = flow;
    this.key = key;
    this.#state = newServerTransaction(message.method === "INVITE", flow.isReliable, table.deps.timers);
  }

  use(user: ServerUser): void {
    this.#user = user;
  }

  dueMs(): number {
    return this.#state.phase === "terminated" ? NEVER_MS : serverTickMs(this.#state);
  }

  fire(nowMs: number): void {
    this.#step({ kind: "tick", nowMs }, undefined);
  }

  /** The request was repeated, or its ACK has arrived. */
  receive(message: SipMessage): void {
    const kind = message.method === "ACK" ? "ack" : "request";
    this.#step({ kind, nowMs: this.#table.deps.elapsedMs() }, message);
  }

  cancel(): void {
    this.#user?.onCancel();
  }

  respond(draft: ResponseDraft): void {
    const text = writeResponse(this.message, this.flow, draft);
    const [state, commands] = stepServer(this.#state, {
      kind: "respond",
      status: draft.status,
      nowMs: this.#table.deps.elapsedMs(),
    });
    this.#state = state;
    if (commands.includes("send")) {
      this.#last = text;
      this.#send();
    }
    if (state.phase === "terminated") this.#table.forgetServer(this);
    this.#table.deps.deadlines.plan(this);
  }

  #send(): void {
    if (this.#last === "") return;
    this.#user?.onSent?.(this.#last, this.flow);
    this.flow.send(octetsOf(this.#last));
  }

  #step(input: ServerInput, message: SipMessage | undefined): void {
    const [state, commands] = stepServer(this.#state, input);
    this.#state = state;
    for (const command of commands) {
      if (command === "resend") this.#send();
      else if (command === "deliverAck" && message) this.#user?.onAck(message);
      else if (command === "terminated") this.#table.forgetServer(this);
    }
    this.#table.deps.deadlines.plan(this);
  }
}
