// One SMTP connection to the peer, for one mail at a time.
//
// Guarantees: `send` resolves exactly once, by its deadline at the latest. Its outcome is `unknown` only when the dot
// that ends the mail may have been sent and no answer arrived: before the dot the peer cannot have taken the mail, and
// any answer decides the outcome. Whatever the peer sends, and however slowly, no step lasts longer than `readyMsMax`
// or `mailMsMax`, and no more than RECEIVED_OCTETS_MAX is read for one.

import { Readable } from "node:stream";
import SMTPConnection from "nodemailer/lib/smtp-connection";

export interface Mail {
  readonly from: string;
  readonly to: readonly string[];
  readonly bytes: Uint8Array;
}

export interface RefusedAddress {
  readonly address: string;
  readonly status: number;
  readonly text: string;
}

export type MailOutcome =
  | { readonly kind: "taken"; readonly refused: readonly RefusedAddress[] }
  | { readonly kind: "refused"; readonly status: number; readonly text: string }
  | { readonly kind: "unknown"; readonly reason: string }
  | { readonly kind: "notSent"; readonly reason: string };

export interface ConnectionOptions {
  readonly connection: SMTPConnection.Options;
  readonly credentials: { readonly user: string; readonly pass: string } | undefined;
  /** Until a mail can be sent: after connecting and signing in, or after RSET. */
  readonly readyMsMax: number;
  /** From MAIL to the answer to the final dot. */
  readonly mailMsMax: number;
}

/** A method inside nodemailer's connection that gets everything the peer sends, after decryption. */
interface DataReceiver {
  _onData(chunk: Uint8Array): void;
}

type SmtpError = SMTPConnection.SMTPError;

const CHUNK_OCTETS = 64 * 1024;
/** While a connection is opened, and again for every mail. RFC 5321 4.5.3.1.5: a reply line has 512 octets at most. */
const RECEIVED_OCTETS_MAX = 64 * 1024;
/** RFC 5321 4.2.3. */
const NOT_AVAILABLE = 421;
const SYNTAX_ERROR = 553;
const TOO_BIG = 552;

export class SmtpConnection {
  /** Mails that the peer has answered. */
  served = 0;
  readonly #options: ConnectionOptions;
  readonly #connection: SMTPConnection;
  #isUsable = true;
  #receivedOctets = 0;
  #fault: Error = new Error("the peer closed the connection");
  readonly #onEnd = new Set<() => void>();

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#connection = new SMTPConnection(options.connection);
    this.#connection.on("error", (error) => {
      this.#fault = error;
    });
    this.#connection.once("end", () => {
      this.#isUsable = false;
      for (const onEnd of [...this.#onEnd]) onEnd();
    });
    this.#limitReceived();
  }

  /** Throws when the connection fails or the peer refuses us. */
  async open(): Promise<void> {
    const { credentials, readyMsMax } = this.#options;
    try {
      await this.#within(readyMsMax, async () => {
        await this.#step((done) => this.#connection.connect(done));
        if (credentials) await this.#step((done) => this.#connection.login({ ...credentials }, done));
      });
    } catch (error) {
      this.close();
      throw error;
    }
  }

  get isUsable(): boolean {
    return this.#isUsable;
  }

  /** `onEnd` is called when the connection ends, or immediately when it has already ended. */
  whenEnded(onEnd: () => void): void {
    if (this.#isUsable) this.#onEnd.add(onEnd);
    else onEnd();
  }

  async send(mail: Mail): Promise<MailOutcome> {
    this.#receivedOctets = 0;
    const outcome = await this.#within(this.#options.mailMsMax, () => this.#exchange(mail));
    if (outcome.kind === "unknown" || outcome.kind === "notSent") {
      this.close();
      return outcome;
    }
    if (outcome.kind === "refused" && outcome.status === NOT_AVAILABLE) this.close();
    else this.served += 1;
    // After a refusal the peer may still hold half a mail transaction.
    if (outcome.kind === "refused" && this.#isUsable && !(await this.#reset())) this.close();
    return outcome;
  }

  /** Ends a mail under way with `unknown` or `notSent` and this reason. */
  close(reason?: string): void {
    if (reason !== undefined) this.#fault = new Error(reason);
    this.#isUsable = false;
    this.#connection.close();
  }

  #exchange({ from, to, bytes }: Mail): Promise<MailOutcome> {
    return new Promise((resolve) => {
      let mayHaveEnded = false;
      const settle = (outcome: MailOutcome) => {
        this.#onEnd.delete(onEnd);
        resolve(outcome);
      };
      const lose = () => settle({ kind: mayHaveEnded ? "unknown" : "notSent", reason: this.#fault.message });
      // nodemailer reports the error that ended the connection, with the peer's answer, right after `end`.
      const onEnd = () => setImmediate(lose);
      this.whenEnded(onEnd);
      const source = Readable.from(chunksOf(bytes), { objectMode: false });
      // The dot is written when the mail has been read to its end.
      source.once("end", () => {
        mayHaveEnded = true;
      });
      this.#connection.send({ from, to: [...to], size: bytes.length }, source, (error, info) => {
        if (error) settle(outcomeOf(error, mayHaveEnded));
        else settle({ kind: "taken", refused: (info?.rejectedErrors ?? []).map(refusedAddress) });
      });
    });
  }

  async #reset(): Promise<boolean> {
    try {
      await this.#within(this.#options.readyMsMax, () => this.#step((done) => this.#connection.reset(done)));
      return true;
    } catch {
      return false;
    }
  }

  /** One command of nodemailer as a promise, which the end of the connection rejects. */
  #step(ask: (done: (error?: Error | null) => void) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      const onEnd = () => reject(this.#fault);
      this.whenEnded(onEnd);
      ask((error) => {
        this.#onEnd.delete(onEnd);
        if (error) reject(error);
        else resolve();
      });
    });
  }

  /** Closes the connection after `msMax`, which ends `work`, even when the peer keeps sending a little. */
  async #within<Done>(msMax: number, work: () => Promise<Done>): Promise<Done> {
    const timer = setTimeout(() => this.close(`the peer was not done within ${msMax} ms`), msMax);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
    }
  }

  /** nodemailer itself buffers without bound while a reply is unfinished. */
  #limitReceived(): void {
    const receiver = this.#connection as unknown as DataReceiver;
    const receive = receiver._onData.bind(receiver);
    receiver._onData = (chunk) => {
      this.#receivedOctets += chunk.length;
      if (this.#receivedOctets > RECEIVED_OCTETS_MAX) this.close("the peer sent too much");
      else receive(chunk);
    };
  }
}

function* chunksOf(bytes: Uint8Array): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += CHUNK_OCTETS) {
    yield Buffer.from(bytes.buffer, bytes.byteOffset + at, Math.min(CHUNK_OCTETS, bytes.length - at));
  }
}

function outcomeOf(error: SmtpError, mayHaveEnded: boolean): MailOutcome {
  const status = error.responseCode ?? 0;
  if (status >= 400 && status < 600) return { kind: "refused", status, text: error.response ?? error.message };
  // nodemailer refuses these itself before it sends anything: more than the peer's SIZE, or an invalid address.
  if (error.code === "EMESSAGE" && !mayHaveEnded) return { kind: "refused", status: TOO_BIG, text: error.message };
  if (error.code === "EENVELOPE" && !mayHaveEnded)
    return { kind: "refused", status: SYNTAX_ERROR, text: error.message };
  return { kind: mayHaveEnded ? "unknown" : "notSent", reason: error.message };
}

function refusedAddress(error: SmtpError): RefusedAddress {
  const { recipient = "", responseCode = 0, response = "" } = error;
  return { address: recipient, status: responseCode, text: response };
}
