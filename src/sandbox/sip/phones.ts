// The simulated telephone network: a SIP carrier on UDP with every telephone of the world behind it. It has its own
// transactions and call logic, so that it and the product must both follow SIP to understand each other.

import { randomUUID } from "node:crypto";
import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { parseUri, unescaped } from "../../../rules/sip-uri.ts";
import type { Log } from "../../base/log.ts";
import { type SipMessage, valuesOf } from "../../wire/sip/message.ts";
import { parseNameAddr } from "../../wire/sip/name-addr.ts";
import { parseMessage } from "../../wire/sip/parse.ts";
import { writeResponse } from "../../wire/sip/write.ts";
import { conductOf, type PhoneBehaviour, type PhoneConduct, phoneBehaviourOf } from "./behaviour.ts";
import {
  type CallerConduct,
  PhoneCall,
  type PhoneLine,
  type PhoneUser,
  type Place,
  type Taking,
} from "./phone-call.ts";

export interface PhonesOptions {
  readonly host: string;
  readonly port: number;
  readonly log: Log;
  /** Synthesizes speech, 8 kHz mono. */
  readonly say: (text: string) => Promise<Int16Array>;
}

export interface CallOrder {
  readonly from: string;
  readonly to: string;
  /** The SIP port of the called side. */
  readonly target: Place;
  readonly durationMs: number;
  /** False: the telephone that the call is forwarded to does not answer. */
  readonly isAnswered: boolean;
  /** The keys that the caller presses; `w` waits. */
  readonly digits: string;
  readonly words?: CallerConduct["words"];
}

/** A telephone that a person uses. */
export interface AttachedPhone {
  /** Whether it takes calls that are charged to this number; other calls reach the simulated telephone. */
  mayReach(payer: string): Promise<boolean>;
  /** Undefined when it is busy. */
  ring(call: PhoneCall, from: string): PhoneUser | undefined;
}

const CALLS_MAX = 1_000;
/** How long ended calls are remembered, to answer retransmissions. */
const ENDED_MS = 10_000;

export class Phones {
  readonly #socket: Socket;
  readonly #log: Log;
  readonly #line: PhoneLine;
  readonly #calls = new Map<string, PhoneCall>();
  readonly #behaviours = new Map<string, PhoneBehaviour>();
  /** Telephones that people use, by their numbers. */
  readonly #attached = new Map<string, Set<AttachedPhone>>();
  /** Callers whose forwarded calls are not answered, with the number of such calls. */
  readonly #unanswered = new Map<string, number>();
  readonly #timers = new Set<NodeJS.Timeout>();

  static async listen({ host, port, log, say }: PhonesOptions): Promise<Phones> {
    const socket = createSocket(host.includes(":") ? "udp6" : "udp4");
    socket.bind(port, host);
    await once(socket, "listening");
    return new Phones(socket, { host, log, say });
  }

  private constructor(socket: Socket, { host, log, say }: Omit<PhonesOptions, "port">) {
    this.#socket = socket;
    this.#log = log;
    this.#line = {
      local: { address: host, port: socket.address().port },
      send: (text, { address, port }) => socket.send(Buffer.from(text, "latin1"), port, address, () => undefined),
      done: (callId) => this.#forgetLater(callId),
      say,
    };
    socket.on("message", (octets, { address, port }) => this.#receive(octets.toString("latin1"), { address, port }));
    socket.on("error", (error) => log.warn({ reason: error.message }, "simulated telephones failed"));
  }

  get port(): number {
    return this.#line.local.port;
  }

  /** Sets the behaviour of a number from now on; `undefined` restores the one that the number stands for. */
  behave(number: string, behaviour: PhoneBehaviour | undefined): void {
    if (behaviour === undefined) this.#behaviours.delete(number);
    else this.#behaviours.set(number, behaviour);
  }

  /** A person takes over the telephone of a number. The returned function detaches it. */
  attach(number: string, phone: AttachedPhone): () => void {
    const attached = this.#attached.get(number) ?? new Set();
    this.#attached.set(number, attached.add(phone));
    return () => {
      attached.delete(phone);
      if (attached.size === 0 && this.#attached.get(number) === attached) this.#attached.delete(number);
    };
  }

  /** A person calls one of our numbers; undefined when the network is full. */
  dial({ from, to, target }: Pick<CallOrder, "from" | "to" | "target">, user: PhoneUser): PhoneCall | undefined {
    if (this.#calls.size >= CALLS_MAX) return undefined;
    const call = new PhoneCall(this.#line, target, randomUUID());
    this.#calls.set(call.callId, call);
    call.call(from, to, {}, user).catch((error: Error) => this.#failed(call, error));
    return call;
  }

  /** A simulated telephone calls one of our numbers. Resolves with the final response to the call. */
  async call({ from, to, target, durationMs, isAnswered, digits, words }: CallOrder): Promise<number> {
    if (this.#calls.size >= CALLS_MAX) return 503;
    if (!isAnswered) this.#unanswered.set(from, (this.#unanswered.get(from) ?? 0) + 1);
    const call = new PhoneCall(this.#line, target, randomUUID());
    this.#calls.set(call.callId, call);
    const { hasWords } = conductOf(this.#behaviours.get(from) ?? phoneBehaviourOf(from));
    const { status } = await call.call(from, to, { talkMs: durationMs, digits, words, ...(hasWords && { hasWords }) });
    this.#log.debug({ from, to, status }, "simulated call begun");
    return status;
  }

  async close(): Promise<void> {
    for (const call of this.#calls.values()) call.close();
    for (const timer of this.#timers) clearTimeout(timer);
    await new Promise<void>((resolve) => this.#socket.close(() => resolve()));
  }

  #receive(text: string, peer: Place): void {
    const parsed = parseMessage(text);
    if (!parsed.ok) return;
    const { message } = parsed;
    const known = this.#calls.get(message.callId);
    if (known) {
      known.receive(message);
      return;
    }
    if (message.kind === "response" || message.method === "ACK") return;
    if (message.method !== "INVITE" || this.#calls.size >= CALLS_MAX) {
      const status = message.method === "OPTIONS" ? 200 : message.method === "INVITE" ? 503 : 481;
      this.#line.send(
        writeResponse(message, peer, { status, toTag: "phones", lines: "", contentType: "", body: "" }),
        peer,
      );
      return;
    }
    const call = new PhoneCall(this.#line, peer, message.callId);
    this.#calls.set(message.callId, call);
    call.take(message, this.#taking(message, call)).catch((error: Error) => this.#failed(call, error));
  }

  #failed(call: PhoneCall, error: Error): void {
    this.#log.warn({ reason: error.message }, "simulated telephone failed");
    call.close();
  }

  #taking(invite: SipMessage, call: PhoneCall): Taking | Promise<Taking> {
    const number = userOf(invite.uri);
    const behaviour = this.#behaviourOf(number, userOf(invite.from.uri));
    const conduct = conductOf(behaviour);
    const attached = behaviour === "noAnswer" ? undefined : this.#attached.get(number);
    return attached ? this.#ring(attached, invite, call, conduct) : { conduct };
  }

  async #ring(
    attached: ReadonlySet<AttachedPhone>,
    invite: SipMessage,
    call: PhoneCall,
    usual: PhoneConduct,
  ): Promise<Taking> {
    const payer = payerOf(invite);
    for (const phone of [...attached]) {
      // The telephone may have been detached in the meantime.
      if (!(await phone.mayReach(payer)) || !attached.has(phone)) continue;
      const user = phone.ring(call, userOf(invite.from.uri));
      return user ? { conduct: conductOf("noAnswer"), user } : { conduct: conductOf("busy") };
    }
    return { conduct: usual };
  }

  #behaviourOf(number: string, caller: string): PhoneBehaviour {
    const refusals = this.#unanswered.get(caller) ?? 0;
    if (refusals === 0) return this.#behaviours.get(number) ?? phoneBehaviourOf(number);
    if (refusals === 1) this.#unanswered.delete(caller);
    else this.#unanswered.set(caller, refusals - 1);
    return "noAnswer";
  }

  #forgetLater(callId: string): void {
    const timer = setTimeout(() => {
      this.#calls.delete(callId);
      this.#timers.delete(timer);
    }, ENDED_MS);
    timer.unref();
    this.#timers.add(timer);
  }
}

function userOf(uri: string): string {
  const parsed = parseUri(uri);
  if (!parsed || parsed.scheme === "other") return "";
  return unescaped(parsed.scheme === "tel" ? parsed.number : parsed.user);
}

/** The number that a call is charged to: the one that forwards it, otherwise the caller's, even if it is withheld. */
function payerOf(invite: SipMessage): string {
  const [place] = [...valuesOf(invite, "diversion"), ...valuesOf(invite, "p-asserted-identity")];
  return userOf((place && parseNameAddr(place)?.uri) ?? invite.from.uri);
}
