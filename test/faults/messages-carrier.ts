// A carrier that outlives the servers which are killed: an SMSC in the test's own process, and the configuration that
// names it. Every text begins with a unique token, by which the carrier's ledger and our records are compared.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Smsc } from "../../src/sandbox/smsc/smsc.ts";
import { type ReceivedMessage, tokenOf } from "./messages-verdict.ts";

/** Maximum number of unanswered submits. */
const WINDOW = 20;

/** Doubles with every attempt: the SMSC retries a delivery for minutes, in which PostgreSQL restarts on any machine. */
const REDELIVER_MS = 500;
const PATIENCE_MS = 300_000;
const RECEIPT_MS = 20;
const SLOW_MS = 30;

export class Carrier {
  readonly smsc: Smsc;
  /** For TANDEM_CONFIG. */
  readonly config: string;
  /** Receipts that it gave up after all attempts. */
  readonly givenUp: readonly string[];
  readonly #directory: string;
  readonly #seen = new WeakSet<object>();
  #submits = 0;

  static async start(): Promise<Carrier> {
    const givenUp: string[] = [];
    const warn = (fields: object, fact: string) => void givenUp.push(`${fact} ${JSON.stringify(fields)}`);
    const smsc = await Smsc.listen({
      host: "127.0.0.1",
      port: 0,
      log: { debug() {}, info() {}, warn, error: warn },
      receiptDelayMs: RECEIPT_MS,
      slowAnswerMs: SLOW_MS,
      redeliverMs: REDELIVER_MS,
      patienceMs: PATIENCE_MS,
    });
    return new Carrier(smsc, givenUp);
  }

  private constructor(smsc: Smsc, givenUp: readonly string[]) {
    this.smsc = smsc;
    this.givenUp = givenUp;
    this.#directory = mkdtempSync(join(tmpdir(), "tandem-faults-carrier-"));
    this.config = join(this.#directory, "tandem.config.json");
    const login = { systemId: "tandem", password: "secret" };
    const link = { name: "outside", host: "127.0.0.1", port: smsc.port, ...login, windowSize: WINDOW };
    const carriers = [{ name: "outside", smpp: [link] }];
    writeFileSync(this.config, JSON.stringify({ carriers, routes: [{ to: [{ carrier: "outside" }] }] }));
  }

  /** Resolves when it has accepted `count` messages of the round. */
  async whenTaken(round: string, count: number): Promise<void> {
    let taken = 0;
    await this.smsc.nextMessage(({ text = "" }) => tokenOf(text).startsWith(`${round}-`) && ++taken >= count);
  }

  /** The texts that handsets have received completely. */
  arrived(): ReadonlySet<string> {
    return new Set(this.smsc.received.flatMap(({ text, missing }) => (missing.length === 0 && text) || []));
  }

  /** What the handsets have received since the last call, and the number of submits. */
  takeLedger(): { readonly received: readonly ReceivedMessage[]; readonly submits: number } {
    const received = this.smsc.received.filter((message) => !this.#seen.has(message));
    for (const message of received) this.#seen.add(message);
    const submits = this.smsc.counts.submits - this.#submits;
    this.#submits += submits;
    return { received: received.map(({ text = "", missing }) => ({ text, isWhole: missing.length === 0 })), submits };
  }

  async close(): Promise<void> {
    await this.smsc.close();
    rmSync(this.#directory, { recursive: true, force: true });
  }
}
