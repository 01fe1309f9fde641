// One SMTP connection to the peer, for one mail at a time.
//
// Guarantees: `send` resolves exactly once, by its deadline at the latest, and says `unknown` only when the dot that ends the mail may have
// left without an answer: before that the peer cannot have taken it, and an answer, whatever it says, is believed.

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

export interface LaneOptions {
  readonly connection: SMTPConnection.Options;
  readonly credentials: { readonly user: string; readonly pass: string } | undefined;
  readonly mailMsMax: number;
}

type SmtpError = SMTPConnection.SMTPError;

const CHUNK_OCTETS = 64 * 1024;
/** RFC 5321 4.2.3. */
const NOT_AVAILABLE = 421;
const SYNTAX_ERROR = 553;
const TOO_BIG = 552;

export class SmtpLane {
  /** Mails that the peer has answered. */
  served = 0;
  readonly #connection: SMTPConnection;
  readonly #mailMsMax: number;
  #isUsable = true;
  #fault: Error = new Error("the peer closed the connection");
  readonly #onEnd = new Set<() => void>();

  /** Throws when there is no connection, or the peer does not want us. */
  static async open({ connection: options, credentials, mailMsMax }: LaneOptions): Promise<SmtpLane> {
    const connection = new SMTPConnection(options);
    const lane = new SmtpLane(connection, mailMsMax);
    try {
      await new Promise<void>((resolve, reject) => {
        lane.whenEnded(() => reject(lane.#fault));
        connection.connect((error) => (error ? reject(error) : resolve()));
      });
      if (credentials) await lane.#login(credentials);
    } catch (error) {
      lane.close();
      throw error;
    }
    return lane;
  }

  private constructor(connection: SMTPConnection, mailMsMax: number) {
    this.#connection = connection;
    this.#mailMsMax = mailMsMax;
    connection.on("error", (error) => {
      this.#fault = error;
    });
    connection.once("end", () => {
      this.#isUsable = false;
      for (const told of this.#onEnd) told();
    });
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
    const outcome = await this.#exchange(mail);
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

  close(): void {
    this.#isUsable = false;
    this.#connection.close();
  }

  #exchange({ from, to, bytes }: Mail): Promise<MailOutcome> {
    return new Promise((resolve) => {
      let mayHaveEnded = false;
      const settle = (outcome: MailOutcome) => {
        clearTimeout(timer);
        this.#onEnd.delete(onEnd);
        resolve(outcome);
      };
      const lose = (reason: string) => settle({ kind: mayHaveEnded ? "unknown" : "notSent", reason });
      const timer = setTimeout(() => lose("the peer did not answer in time"), this.#mailMsMax);
      // The error that ended it, and the answer in it, come right after.
      const onEnd = () => setImmediate(() => lose("the connection was lost"));
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

  #login({ user, pass }: { readonly user: string; readonly pass: string }): Promise<void> {
    return new Promise((resolve, reject) => {
      this.whenEnded(() => reject(this.#fault));
      this.#connection.login({ user, pass }, (error) => (error ? reject(error) : resolve()));
    });
  }

  #reset(): Promise<boolean> {
    return new Promise((resolve) => {
      this.whenEnded(() => resolve(false));
      this.#connection.reset((error) => resolve(!error));
    });
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
