// One connection from an ESME: its socket, its framer, its session state machine and the machine's timer.
//
// Guarantees: any octets lead to answers or to a closed connection. The link stops reading from a peer that does not
// read, so the write buffer stays bounded. `ended` is called once and is the last call.

import type { Socket } from "node:net";
import type { Log } from "../../base/log.ts";
import { Framer } from "../../wire/smpp/framer.ts";
import type { BindRequest, DeliverSm, Unnumbered } from "../../wire/smpp/pdu.ts";
import { step } from "../../wire/smpp/session.ts";
import { maySend } from "../../wire/smpp/session-rights.ts";
import {
  newSmscSession,
  nextTickMs,
  type Outcome,
  type SessionEvent,
  type SessionInput,
  type SessionRequest,
  type SessionResponse,
  type SessionSettings,
  type SessionState,
  windowCapacity,
} from "../../wire/smpp/session-state.ts";

export interface LinkOwner {
  /** Returns the status of the bind response: 0 accepts the ESME. */
  judgeBind(request: BindRequest): number;
  bound(link: Link): void;
  /** Requests of the ESME, to be answered with `answer`. */
  requested(link: Link, requests: readonly SessionRequest[]): void;
  /** Deliveries were answered: the window has free slots again. */
  freed(link: Link): void;
  ended(link: Link): void;
}

interface LinkDelivery {
  readonly pdu: Unnumbered<DeliverSm>;
  readonly onOutcome: (outcome: Outcome) => void;
}

type Timeless<Input = SessionInput> = Input extends SessionInput ? Omit<Input, "nowMs"> : never;

/** Less than the session's bound on unanswered requests; answers are sent between the batches. */
const PDUS_AT_ONCE = 64;
/** How long the socket may flush its buffer after the session has ended. */
const LINGER_MS = 2000;

export class Link {
  readonly #socket: Socket;
  readonly #owner: LinkOwner;
  readonly #log: Log;
  readonly #systemId: string;
  readonly #framer = new Framer();
  readonly #onOutcome = new Map<string, (outcome: Outcome) => void>();
  #state: SessionState;
  #nextRef = 0;
  #timer: NodeJS.Timeout | undefined;
  #timerDueMs = Number.POSITIVE_INFINITY;

  constructor(
    socket: Socket,
    { owner, settings, systemId, log }: { owner: LinkOwner; settings: SessionSettings; systemId: string; log: Log },
  ) {
    this.#socket = socket;
    this.#owner = owner;
    this.#log = log;
    this.#systemId = systemId;
    this.#state = newSmscSession(settings);
    socket.setNoDelay(true);
    socket.on("data", (chunk: Buffer) => this.#receive(chunk));
    socket.on("drain", () => socket.resume());
    socket.on("error", (error) => log.debug({ error: error.message }, "SMPP connection failed"));
    socket.on("close", () => this.#do({ kind: "closed" }));
    this.#do({ kind: "connected" });
  }

  /** Empty before the bind. */
  get systemId(): string {
    return this.#state.bind?.systemId ?? "";
  }

  /** How many deliveries the window takes now. */
  get freeSlots(): number {
    return maySend(this.#state, "deliver_sm") ? windowCapacity(this.#state) : 0;
  }

  get isOver(): boolean {
    return this.#state.phase === "closed";
  }

  answer(answers: readonly SessionResponse[]): void {
    if (answers.length > 0) this.#do({ kind: "answer", answers });
  }

  deliver(deliveries: readonly LinkDelivery[]): void {
    const requests = deliveries.map(({ pdu, onOutcome }) => {
      const ref = String(this.#nextRef++);
      this.#onOutcome.set(ref, onOutcome);
      return { ref, pdu };
    });
    this.#do({ kind: "request", requests });
  }

  /** Breaks the connection without unbinding. */
  cut(): void {
    this.#socket.destroy();
    this.#do({ kind: "closed" });
  }

  #receive(chunk: Uint8Array): void {
    const { pdus, fault } = this.#framer.push(chunk);
    for (let at = 0; at < pdus.length; at += PDUS_AT_ONCE) {
      this.#do({ kind: "received", pdus: pdus.length <= PDUS_AT_ONCE ? pdus : pdus.slice(at, at + PDUS_AT_ONCE) });
    }
    if (fault !== undefined) this.#do({ kind: "garbled", reason: fault });
  }

  #do(input: Timeless): void {
    const nowMs = performance.now();
    const [state, commands] = step(this.#state, { ...input, nowMs } as SessionInput);
    this.#state = state;
    const requests: SessionRequest[] = [];
    let isFreed = false;
    for (const command of commands) {
      if (command.kind === "send") {
        if (!this.#socket.write(command.bytes)) this.#socket.pause();
      } else if (command.kind === "close") this.#close();
      else if (command.event.kind === "requested") requests.push(command.event.pdu);
      else {
        isFreed ||= command.event.kind === "answered";
        this.#report(command.event);
      }
    }
    if (requests.length > 0) this.#owner.requested(this, requests);
    if (isFreed && !this.isOver) this.#owner.freed(this);
    this.#arm(nowMs);
  }

  #report(event: SessionEvent): void {
    switch (event.kind) {
      case "bindRequested":
        this.#do({
          kind: "answerBind",
          status: this.#owner.judgeBind(event.request),
          systemId: this.#systemId,
        });
        break;
      case "bound":
        this.#log.info({ systemId: event.systemId, as: event.as }, "ESME bound");
        this.#owner.bound(this);
        break;
      case "answered": {
        const onOutcome = this.#onOutcome.get(event.ref);
        this.#onOutcome.delete(event.ref);
        onOutcome?.(event.outcome);
        break;
      }
      case "noticed":
        this.#log.debug(
          { systemId: this.systemId, what: event.what, sequence: event.sequence },
          "SMPP protocol violation noticed",
        );
        break;
      case "ended":
        this.#log.info({ systemId: this.systemId, reason: event.reason }, "SMPP session ended");
        this.#owner.ended(this);
        break;
    }
  }

  #close(): void {
    this.#socket.destroySoon();
    this.#socket.setTimeout(LINGER_MS, () => this.#socket.destroy());
  }

  /** A timer that fires too early is set again. That is cheaper than setting it with every PDU. */
  #arm(nowMs: number): void {
    const dueMs = nextTickMs(this.#state) ?? Number.POSITIVE_INFINITY;
    if (this.isOver || dueMs < this.#timerDueMs) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#timerDueMs = Number.POSITIVE_INFINITY;
    }
    if (dueMs === Number.POSITIVE_INFINITY || this.#timer) return;
    this.#timerDueMs = dueMs;
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        this.#timerDueMs = Number.POSITIVE_INFINITY;
        this.#do({ kind: "tick" });
      },
      Math.max(1, dueMs - nowMs),
    );
  }
}
