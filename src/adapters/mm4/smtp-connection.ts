// One SMTP connection to the peer, for one mail at a time.
//
// Guarantees: `send` resolves exactly once, by its deadline at the latest, and says `unknown` only when the dot that ends the mail may have
// left without an answer: before that the peer cannot have taken it, and an answer, whatever it says, is believed. Whatever the peer sends,
// and however slowly, nothing here lasts longer than `readyMsMax` or `mailMsMax`, and no more than HEARD_OCTETS_MAX is heard at a time.

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
  /** Until a mail can be sent: connected and signed in, or rid of half a mail. */
  readonly readyMsMax: number;
  /** From MAIL to the answer to the dot. */
  readonly mailMsMax: number;
}

/** nodemailer's own, called with whatever the peer has said, in plain text or out of TLS. */
interface Hearing {
  _onData(chunk: Uint8Array): void;
}

type SmtpError = SMTPConnection.SMTPError;

const CHUNK_OCTETS = 64 * 1024;
/** While a connection is opened, and again for every mail. RFC 5321 4.5.3.1.5: a line of an answer has 512 octets at most. */
const HEARD_OCTETS_MAX = 64 * 1024;
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
  #heardOctets = 0;
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
      for (const told of [...this.#onEnd]) told();
    });
    this.#boundHearing();
  }

  /** Throws when there is no connection, or the peer does not want us. */
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

  /** Called when the connection is no more, at once if that is so already. */
  whenEnded(told: () => void): void {
    if (this.#isUsable) this.#onEnd.add(told);
    else told();
  }

  async send(mail: Mail): Promise<MailOutcome> {
    this.#heardOctets = 0;
    const outcome = await this.#within(this.#options.mailMsMax, () => this.#exchange(mail));
    if (outcome.kind === "unknown" || outcome.kind === "notSent") {
      this.close();
      return outcome;
    }
    if (outcome.kind === "refused" && outcome.status === NOT_AVAILABLE) this.close();
    else this.served += 1;
    // A refusal may leave half a mail behind.
    if (outcome.kind === "refused" && this.#isUsable && !(await this.#reset())) this.close();
    return outcome;
  }

  /** What is under way is settled as it stands, with this reason. */
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
      // The error that ended it, and the answer in it, come right after.
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

  /** One thing asked of the peer; the end of the connection is an answer, too. */
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

  /** A peer that says a little now and then is not silent, and still gets no more time than this: the end of the connection ends `work`. */
  async #within<Done>(msMax: number, work: () => Promise<Done>): Promise<Done> {
    const timer = setTimeout(() => this.close(`the peer was not done within ${msMax} ms`), msMax);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
    }
  }

  /** nodemailer keeps empty lines, and answers to nothing, for as long as an answer is unfinished. */
  #boundHearing(): void {
    const hearing = this.#connection as unknown as Hearing;
    const hear = hearing._onData.bind(hearing);
    hearing._onData = (chunk) => {
      this.#heardOctets += chunk.length;
      if (this.#heardOctets > HEARD_OCTETS_MAX) this.close("the peer says too much");
      else hear(chunk);
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
  // Decided here, before anything was sent: more than the peer's SIZE, or an address that is none.
  if (error.code === "EMESSAGE" && !mayHaveEnded) return { kind: "refused", status: TOO_BIG, text: error.message };
  if (error.code === "EENVELOPE" && !mayHaveEnded)
    return { kind: "refused", status: SYNTAX_ERROR, text: error.message };
  return { kind: mayHaveEnded ? "unknown" : "notSent", reason: error.message };
}

function refusedAddress(error: SmtpError): RefusedAddress {
  const { recipient = "", responseCode = 0, response = "" } = error;
  return { address: recipient, status: responseCode, text: response };
}
