// Applications that send without pause, several at a time, each text once. Their responses are kept; a request without
// one may be repeated under the same Idempotency-Key.

import { setTimeout as delay } from "node:timers/promises";
import type { Chance } from "../fakes/chance.ts";
import { json } from "../tandem.ts";
import type { Caller } from "./messages-records.ts";

export interface LoadOrder {
  /** The servers they send to. */
  readonly callers: readonly [Caller, ...Caller[]];
  readonly from: string;
  /** Prefix of every token. */
  readonly round: string;
  readonly chance: Chance;
}

interface Order {
  readonly token: string;
  readonly body: object;
  readonly key: string | undefined;
}

const SENDERS = 12;
const MESSAGES_MAX = 5_000;
const LONG_SHARE = 0.1;
const KEYED_SHARE = 0.3;
const READY_ASK_MS = 50;
const READY_ASKED_MAX = 1_200;
const SEND = "/messaging/v1/OutboundMessages";

export class Load {
  /** Token → sid. */
  readonly acknowledged = new Map<string, string>();
  /** Responses that are wrong, whatever fails behind the API. */
  readonly surprises: string[] = [];
  readonly #order: LoadOrder;
  readonly #unanswered: Order[] = [];
  readonly #waiters = new Set<() => void>();
  readonly #senders: Promise<unknown>;
  #made = 0;
  #isStopped = false;
  #isOver = false;

  constructor(order: LoadOrder) {
    this.#order = order;
    this.#senders = Promise.all(Array.from({ length: SENDERS }, (_, place) => this.#send(place))).finally(() => {
      this.#isOver = true;
      this.#tell();
    });
  }

  /** Resolves when `count` messages have been acknowledged. */
  async whenAcknowledged(count: number): Promise<void> {
    while (this.acknowledged.size < count) {
      if (this.#isOver) throw new Error(`the load ended with ${this.acknowledged.size} of ${count} acknowledged`);
      await new Promise<void>((resolve) => this.#waiters.add(resolve));
    }
  }

  /** Resolves when all senders have ended. Before `stop` this only happens if no server responds any more. */
  async whenOver(): Promise<void> {
    await this.#senders;
  }

  /** Resolves when every running request was answered or has failed. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#senders;
  }

  /** Repeats unanswered requests, as a careful application does. */
  async askAgain(call: Caller): Promise<void> {
    for (const order of this.#unanswered.splice(0)) {
      if (order.key !== undefined) await this.#post(call, order);
    }
  }

  async #send(place: number): Promise<void> {
    const { callers } = this.#order;
    const call = callers[place % callers.length] as Caller;
    while (!this.#isStopped && this.#made < MESSAGES_MAX) {
      const order = this.#make();
      try {
        if ((await this.#post(call, order)) !== 503) continue;
        this.#unanswered.push(order);
        await whenReady(call);
      } catch (fault) {
        // The server is gone, unless it kept the request waiting.
        if (!this.#isStopped && (fault as Error).name === "TimeoutError")
          this.surprises.push(`no answer: ${order.token}`);
        this.#unanswered.push(order);
        return;
      }
    }
  }

  async #post(call: Caller, { token, body, key }: Order): Promise<number> {
    const init = json("POST", body);
    const headers = { ...init.headers, ...(key !== undefined && { "Idempotency-Key": key }) };
    const answer = await call(SEND, { ...init, headers });
    const text = await answer.text();
    if (answer.status === 200) this.acknowledged.set(token, (JSON.parse(text) as { sid: string }).sid);
    else if (!isExcused(answer.status, text)) this.surprises.push(`${answer.status} ${text}`);
    this.#tell();
    return answer.status;
  }

  #make(): Order {
    const { from, round, chance } = this.#order;
    const token = `${round}-${++this.#made}`;
    const isLong = chance.happens(LONG_SHARE);
    const text = isLong ? `${token} ${"a text of several parts ".repeat(chance.integer(7, 20))}` : `${token} a text`;
    // Only a small reference distinguishes parts of different messages to one number: each long one has its own.
    const to = isLong ? newRecipient() : recipientOf(chance);
    return {
      token,
      body: { From: from, To: to, Text: text.trim() },
      key: chance.happens(KEYED_SHARE) ? token : undefined,
    };
  }

  #tell(): void {
    for (const resolve of this.#waiters) resolve();
    this.#waiters.clear();
  }
}

/** The database is down, or the process that held the key has died and its claim has yet to expire. */
function isExcused(status: number, text: string): boolean {
  return status === 503 || (status === 409 && text.includes("idempotency-running"));
}

const AREAS = ["212", "312", "512", "617"] as const;
/** Lines of 555-01xx that answer slowly, send the receipt before the submit response, or send it twice. */
const ODD_LINES = ["08", "08", "08", "12", "13"] as const;

function recipientOf(chance: Chance): string {
  if (chance.happens(0.6)) return newRecipient();
  return `+1${chance.oneOf(AREAS)}55501${chance.oneOf(ODD_LINES)}`;
}

let recipients = 0;
const newRecipient = () => `+1415474${String(recipients++ % 10_000).padStart(4, "0")}`;

/** Resolves when the server's database is back. */
async function whenReady(call: Caller): Promise<void> {
  for (let asked = 0; asked < READY_ASKED_MAX; asked++) {
    const answer = await call("/readyz");
    await answer.body?.cancel();
    if (answer.status === 200) return;
    await delay(READY_ASK_MS);
  }
  throw new Error("the server did not get ready again");
}
