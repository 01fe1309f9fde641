// The telephones of the simulated network that people use in their browsers, each over a WebSocket.
//
// Guarantees: an account has one telephone per number: opening it again takes it over. It receives only calls that the
// account pays for. What is sent to a slow browser is bounded: audio is dropped. A socket ends when the browser no
// longer answers, when its credentials are no longer valid, and when the server stops; its call ends with it.

import type { WebSocket } from "ws";
import type { SoftphoneDeps, SoftphoneOrder } from "../../adapters/http/routes/operations/softphone.ts";
import type { Log } from "../../base/log.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import type { PhoneCall, PhoneUser } from "../../sandbox/sip/phone-call.ts";
import type { Phones } from "../../sandbox/sip/phones.ts";
import { Softphone } from "../../sandbox/sip/softphone.ts";
import { readSoftphoneFrame, writeSound } from "../../sandbox/sip/softphone-frame.ts";

export interface SoftphonesOptions {
  readonly phones: Phones;
  /** Calls a number of the account. */
  readonly dial: (order: SoftphoneOrder, to: string, user: PhoneUser) => Promise<Result<PhoneCall, string>>;
  readonly isOwn: (accountSid: string, number: string) => Promise<boolean>;
  /** Whether the credentials that a socket was opened with are still valid. */
  readonly mayGoOn: (headers: SoftphoneOrder["headers"]) => Promise<boolean>;
  readonly log: Log;
}

const PHONES_MAX = 200;
const PHONES_PER_ACCOUNT_MAX = 10;
const BEAT_MS = 2_000;
/** A browser that has not answered for this many beats is gone. */
const SILENT_BEATS_MAX = 10;
/** Limits between two beats. */
const ORDERS_MAX = 50;
const FRAMES_MAX = 500;
const TOO_MUCH = "Too many frames at once.";
const UNSENT_BYTES_MAX = 16 * 1024;

/** RFC 6455 7.4, and two of ours. */
const CLOSE = {
  goingAway: 1001,
  notUnderstood: 1008,
  takenOver: 4001,
  signedOut: 4003,
} as const;

export class Softphones {
  readonly #options: SoftphonesOptions;
  readonly #open = new Map<string, PhoneSocket>();
  #isClosed = false;

  constructor(options: SoftphonesOptions) {
    this.#options = options;
  }

  readonly openPhone: SoftphoneDeps["openPhone"] = (order) => {
    const key = keyOf(order);
    const ofAccount = [...this.#open.keys()].filter((other) => other.startsWith(`${order.account.sid} `)).length;
    if (!this.#open.has(key) && (ofAccount >= PHONES_PER_ACCOUNT_MAX || this.#open.size >= PHONES_MAX)) {
      return refused("Too many telephones are open at once: close one of them.");
    }
    return ok((socket) => this.#take(key, order, socket));
  };

  close(): void {
    this.#isClosed = true;
    for (const phone of this.#open.values()) phone.close(CLOSE.goingAway, "The server stops.");
  }

  #take(key: string, order: SoftphoneOrder, socket: WebSocket): void {
    if (this.#isClosed) {
      socket.close(CLOSE.goingAway, "The server stops.");
      return;
    }
    this.#open.get(key)?.close(CLOSE.takenOver, "The telephone was opened elsewhere.");
    const phone = new PhoneSocket(this.#options, order, socket);
    this.#open.set(key, phone);
    socket.once("close", () => {
      if (this.#open.get(key) === phone) this.#open.delete(key);
    });
  }
}

const keyOf = ({ account, number }: SoftphoneOrder) => `${account.sid} ${number}`;

/** One telephone and the WebSocket of the person who uses it. */
class PhoneSocket {
  readonly #options: SoftphonesOptions;
  readonly #order: SoftphoneOrder;
  readonly #socket: WebSocket;
  readonly #phone: Softphone;
  readonly #detach: () => void;
  readonly #timer: NodeJS.Timeout;
  #silentBeats = 0;
  #orders = 0;
  #frames = 0;

  constructor(options: SoftphonesOptions, order: SoftphoneOrder, socket: WebSocket) {
    this.#options = options;
    this.#order = order;
    this.#socket = socket;
    this.#phone = new Softphone({
      dial: (to, user) => options.dial(order, to, user),
      show: (state) => socket.send(JSON.stringify(state)),
      refuse: (reason) => socket.send(JSON.stringify({ refused: reason })),
      play: (samples) => {
        if (socket.bufferedAmount < UNSENT_BYTES_MAX) socket.send(writeSound(samples));
      },
    });
    this.#detach = options.phones.attach(order.number, {
      mayReach: (payer) => options.isOwn(order.account.sid, payer),
      ring: (call, from) => this.#phone.ring(call, from),
    });
    this.#timer = setInterval(() => this.#beat(), BEAT_MS);
    socket.on("message", (octets, isBinary) => this.#receive(octets as Buffer, isBinary));
    socket.on("pong", () => {
      this.#silentBeats = 0;
    });
    socket.once("close", () => this.#end());
  }

  close(code: number, reason: string): void {
    this.#end();
    this.#socket.close(code, reason);
  }

  #end(): void {
    clearInterval(this.#timer);
    this.#detach();
    this.#phone.close();
  }

  #receive(octets: Buffer, isBinary: boolean): void {
    const frame = readSoftphoneFrame(octets, isBinary);
    this.#frames += 1;
    if (!isBinary) this.#orders += 1;
    if (!frame.ok) this.close(CLOSE.notUnderstood, frame.refusal);
    else if (this.#orders > ORDERS_MAX || this.#frames > FRAMES_MAX) this.close(CLOSE.notUnderstood, TOO_MUCH);
    else if (frame.value.kind === "sound") this.#phone.say(frame.value.samples);
    else this.#phone.obey(frame.value.order);
  }

  #beat(): void {
    this.#orders = 0;
    this.#frames = 0;
    if (++this.#silentBeats > SILENT_BEATS_MAX) {
      this.#socket.terminate();
      return;
    }
    this.#socket.ping();
    this.#options.mayGoOn(this.#order.headers).then(
      (mayGoOn) => {
        if (!mayGoOn) this.close(CLOSE.signedOut, "The session has ended.");
      },
      (error: Error) => this.#options.log.warn({ reason: error.message }, "softphone not checked"),
    );
  }
}
