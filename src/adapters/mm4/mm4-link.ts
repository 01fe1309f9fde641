// An MM4 link to a carrier's MMS centre: submits MMS over SMTP, and takes MMS, responses and delivery reports in over SMTP.
//
// Guarantees: those of `smtp-connection.ts` for what is sent; what the peer sends is answered when the owner has taken it and not before. A message
// keeps its identifiers however often it is submitted, so the peer can tell that it has it already. Stores nothing: what is `unknown` or
// `notSent` is the owner's to decide.

import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import { type EnvironmentLookup, secretOf } from "../../base/secret-text.ts";
import { formatPhoneAddress, systemAddress } from "../../wire/mm4/addresses.ts";
import { encodeMm4, forwardLength } from "../../wire/mm4/encode.ts";
import type { ForwardRequest } from "../../wire/mm4/messages.ts";
import { Courier } from "./courier.ts";
import { Intake } from "./intake.ts";
import type { LinkState, Mm4Owner, OutgoingMms, SubmitOutcome } from "./link-owner.ts";
import { type ListenerTimes, Mm4Listener } from "./mm4-listener.ts";
import type { Mm4Settings } from "./mm4-settings.ts";
import { readPem } from "./pem.ts";
import type { ConnectionOptions, MailOutcome } from "./smtp-connection.ts";
import { type PoolTimes, SmtpPool } from "./smtp-pool.ts";

export interface Mm4Deps {
  readonly clock: Clock;
  readonly log: Log;
  readonly random: () => number;
  /** The value of an environment variable. */
  readonly secret: EnvironmentLookup;
  readonly times?: Partial<LinkTimes>;
}

export interface LinkTimes extends PoolTimes, ListenerTimes {
  /** To the peer's greeting. */
  readonly connectMsMax: number;
  /** As of a connection. */
  readonly readyMsMax: number;
  readonly mailMsMax: number;
  /** How long a closing link waits for what is being sent. */
  readonly drainMsMax: number;
}

/** Where nothing else is said; the rest follows from the wait for an answer that the settings allow. */
const LINK_TIMES = {
  connectMsMax: 10_000,
  takeMsMax: 30_000,
  bringMsMax: 600_000,
  leaveMsMax: 5_000,
  idleMs: 30_000,
  retryMsMin: 500,
  retryMsMax: 30_000,
} as const satisfies Partial<LinkTimes>;

const RECIPIENTS_MAX = 20;
const UNKNOWN_MAX = 10_000;
const TOO_BIG = 552;
/** A mail may take so many waits for an answer, however slowly it is read. */
const WAITS_PER_MAIL = 4;

export class Mm4Link {
  readonly #settings: Mm4Settings;
  readonly #owner: Mm4Owner;
  readonly #deps: Mm4Deps;
  readonly #times: LinkTimes;
  readonly #pool: SmtpPool;
  readonly #courier: Courier;
  /** Sids whose outcome was unknown; a response may still tell. */
  readonly #unknown = new Set<string>();
  readonly #submitting = new Set<Promise<unknown>>();
  #listener: Mm4Listener | undefined;
  #state: LinkState = { kind: "connecting", reason: "" };
  #closing: Promise<void> | undefined;

  /** Resolves when the peer's mail is listened for; whether the peer is there is told by `changed`. */
  static async open(settings: Mm4Settings, owner: Mm4Owner, deps: Mm4Deps): Promise<Mm4Link> {
    const link = new Mm4Link(settings, owner, deps);
    const intake = new Intake({
      clock: deps.clock,
      owner,
      ourHost: settings.ourHost,
      carrierIdOf: (sid) => link.#carrierIdOf(sid),
      responded: (sid, isAccepted) => link.#responded(sid, isAccepted),
      post: (mail, about) => link.#courier.post(mail, about),
    });
    link.#listener = await Mm4Listener.listen(settings, {
      log: deps.log,
      take: (mail) => intake.take(mail),
      times: link.#times,
    });
    void link.#pool.probe();
    return link;
  }

  private constructor(settings: Mm4Settings, owner: Mm4Owner, deps: Mm4Deps) {
    this.#settings = settings;
    this.#owner = owner;
    this.#deps = deps;
    this.#times = timesOf(settings, deps.times);
    this.#pool = new SmtpPool({
      connection: this.#connectionOptions(),
      connectionsMax: settings.maxConnections,
      times: this.#times,
      random: deps.random,
      changed: (kind, reason) => this.#turn({ kind, reason }),
      freed: () => this.#tell(() => owner.room()),
    });
    this.#courier = new Courier((mail) => this.#pool.send(mail), deps.log);
  }

  get name(): string {
    return this.#settings.name;
  }

  /** Where the peer's mail is listened for. */
  get port(): number {
    return this.#listener?.port ?? 0;
  }

  get state(): LinkState {
    return this.#state;
  }

  /** Messages that may be handed in now; who is told 0 hears of `room` when it is more again. */
  room(): number {
    return this.#closing ? 0 : this.#pool.room();
  }

  async submit(mms: OutgoingMms): Promise<SubmitOutcome> {
    if (this.#closing) return { kind: "notSent", reason: "the link is closed" };
    if (mms.to.length === 0 || mms.to.length > RECIPIENTS_MAX) {
      return { kind: "rejected", status: 553, description: `a message goes to 1 to ${RECIPIENTS_MAX} recipients` };
    }
    const { messageSizeMax } = this.#settings;
    // Told before the work of writing it.
    if (forwardLength(mms.text, mms.media) > messageSizeMax) return tooBig(messageSizeMax);
    const bytes = encodeMm4(this.#forwardOf(mms));
    if (bytes.length > messageSizeMax) return tooBig(messageSizeMax);
    const mail = { from: this.#ourAddress(mms.from), to: mms.to.map((number) => this.#peerAddress(number)), bytes };
    const submitting = this.#pool.send(mail);
    this.#submitting.add(submitting);
    try {
      return this.#outcomeOf(mms, await submitting);
    } finally {
      this.#submitting.delete(submitting);
    }
  }

  /** Takes nothing more, waits for what is on its way, in either direction but not for ever, and ends the connections. What could not be
   *  waited for is settled before this resolves. */
  close(): Promise<void> {
    this.#closing ??= this.#drain();
    return this.#closing;
  }

  async #drain(): Promise<void> {
    await Promise.all([this.#listener?.close(), this.#allSent()]);
    this.#courier.close();
    this.#pool.close();
    // Those that were still under way: without connections none of them waits for a peer any more.
    await Promise.allSettled(this.#submitting);
    this.#turn({ kind: "closed", reason: "" });
  }

  /** Resolves when nothing is being sent, or it has taken too long. */
  async #allSent(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.#times.drainMsMax);
    });
    await Promise.race([Promise.allSettled(this.#submitting), late]);
    clearTimeout(timer);
  }

  #connectionOptions(): ConnectionOptions {
    const { host, port, tls, user, password = "", ourHost, responseSeconds } = this.#settings;
    const { connectMsMax, readyMsMax, mailMsMax } = this.#times;
    return {
      connection: {
        host,
        port,
        name: ourHost,
        secure: tls.mode === "implicit",
        requireTLS: tls.mode === "starttls",
        ignoreTLS: tls.mode === "none",
        tls: { rejectUnauthorized: tls.rejectUnauthorized, ...(tls.ca !== undefined && { ca: readPem(tls.ca) }) },
        ...(tls.servername !== undefined && { servername: tls.servername }),
        connectionTimeout: connectMsMax,
        greetingTimeout: connectMsMax,
        socketTimeout: responseSeconds * 1000,
        allowInternalNetworkInterfaces: true,
      },
      credentials: user === undefined ? undefined : { user, pass: secretOf(password, this.#deps.secret) },
      readyMsMax,
      mailMsMax,
    };
  }

  #forwardOf(mms: OutgoingMms): ForwardRequest {
    return {
      kind: "forward",
      transactionId: `"${mms.sid}"`,
      messageId: `"${this.#carrierIdOf(mms.sid)}"`,
      from: this.#ourAddress(mms.from),
      to: mms.to.map((number) => this.#peerAddress(number)),
      originatorSystem: systemAddress(this.#settings.ourHost),
      isAckRequested: true,
      isReportRequested: true,
      date: this.#deps.clock.now(),
      ...(mms.expiresOn && { expiresAt: mms.expiresOn }),
      subject: mms.subject ?? "",
      text: mms.text,
      media: mms.media,
    };
  }

  #outcomeOf({ sid, to }: OutgoingMms, outcome: MailOutcome): SubmitOutcome {
    const carrierIds = [this.#carrierIdOf(sid)];
    switch (outcome.kind) {
      case "taken": {
        const refusedRecipients = outcome.refused.map(({ address, status, text }) => ({
          to: to.find((number) => this.#peerAddress(number) === address) ?? address,
          status,
          description: text,
        }));
        return { kind: "accepted", carrierIds, refusedRecipients };
      }
      case "refused":
        return {
          kind: outcome.status < 500 ? "throttled" : "rejected",
          status: outcome.status,
          description: outcome.text,
        };
      case "unknown":
        this.#unknown.add(sid);
        for (const oldest of this.#unknown) {
          if (this.#unknown.size <= UNKNOWN_MAX) break;
          this.#unknown.delete(oldest);
        }
        return { kind: "unknown", reason: outcome.reason, carrierIds };
      case "notSent":
        return outcome;
    }
  }

  /** What nobody knew is known now. */
  #responded(sid: string, isAccepted: boolean): void {
    if (!this.#unknown.delete(sid) || !isAccepted) return;
    const outcome = { kind: "accepted", carrierIds: [this.#carrierIdOf(sid)], refusedRecipients: [] } as const;
    this.#tell(() => this.#owner.lateAnswer?.(sid, outcome));
  }

  #carrierIdOf(sid: string): string {
    return `${sid}@${this.#settings.ourHost}`;
  }

  #ourAddress(number: string): string {
    return formatPhoneAddress(number, this.#settings.ourHost);
  }

  #peerAddress(number: string): string {
    return formatPhoneAddress(number, this.#settings.peerHost);
  }

  #turn(state: LinkState): void {
    if (state.kind === this.#state.kind || this.#state.kind === "closed") return;
    this.#state = state;
    this.#deps.log[state.kind === "down" ? "warn" : "info"]({ link: this.name, ...state }, "link changed");
    this.#tell(() => this.#owner.changed(state));
  }

  /** An owner that throws must not take others' outcomes with it. */
  #tell(call: () => void): void {
    try {
      call();
    } catch (error) {
      this.#deps.log.error({ link: this.name, error }, "link's owner failed");
    }
  }
}

function timesOf({ responseSeconds }: Mm4Settings, chosen: Partial<LinkTimes> = {}): LinkTimes {
  const times = { ...LINK_TIMES, ...chosen };
  const answerMsMax = responseSeconds * 1000;
  return {
    readyMsMax: times.connectMsMax + answerMsMax,
    mailMsMax: answerMsMax * WAITS_PER_MAIL,
    drainMsMax: answerMsMax,
    ...times,
  };
}

function tooBig(sizeMax: number): SubmitOutcome {
  const description = `text and media come to more than the ${sizeMax} octets that this carrier takes`;
  return { kind: "rejected", status: TOO_BIG, description };
}
