// An MM4 link to a carrier's MMS centre: submits MMS over SMTP, and takes MMS, responses and delivery reports in over SMTP.
//
// Guarantees: those of `smtp-connection.ts` for what is sent; what the peer sends is answered when the listener has taken it and not
// before. A message keeps its identifiers however often it is submitted, so the peer can tell that it has it already. Stores nothing.

import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import { type EnvironmentLookup, secretOf } from "../../base/secret-text.ts";
import {
  FAILURES,
  type LinkListener,
  type LinkState,
  type Media,
  type MediaFetcher,
  type OpenLink,
  type Outgoing,
  type RecipientsFinder,
  type SubmitOutcome,
} from "../../domain/messaging/index.ts";
import { formatPhoneAddress, systemAddress } from "../../wire/mm4/addresses.ts";
import { encodeMm4, forwardLength } from "../../wire/mm4/encode.ts";
import type { ForwardRequest } from "../../wire/mm4/messages.ts";
import { Courier } from "./courier.ts";
import { Intake } from "./intake.ts";
import { type ListenerTimes, Mm4Listener } from "./mm4-listener.ts";
import type { Mm4Settings } from "./mm4-settings.ts";
import { fetchMedia, memberIds, outcomeOf, rejection } from "./outgoing.ts";
import { readPem } from "./pem.ts";
import type { ConnectionOptions } from "./smtp-connection.ts";
import { type PoolTimes, SmtpPool } from "./smtp-pool.ts";

export interface Mm4Order {
  readonly carrier: string;
  readonly settings: Mm4Settings;
}

/** Parts of texts do not come over MM4. */
export type Mm4LinkListener = Omit<LinkListener, "part">;

export interface Mm4Deps {
  readonly media: MediaFetcher;
  readonly recipientsOf: RecipientsFinder;
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
/** Messages whose media are being fetched at once. */
const FETCHING_MAX = 32;
/** A mail may take so many waits for an answer, however slowly it is read. */
const WAITS_PER_MAIL = 4;

export class Mm4Link implements OpenLink {
  readonly kind = "mms";
  readonly name: string;
  readonly carrier: string;
  readonly #settings: Mm4Settings;
  readonly #listener: Mm4LinkListener;
  readonly #deps: Mm4Deps;
  readonly #times: LinkTimes;
  readonly #pool: SmtpPool;
  readonly #courier: Courier;
  /** Messages of unknown outcome by their sids; a response may still tell. */
  readonly #unknown = new Map<string, Outgoing>();
  readonly #submitting = new Set<Promise<unknown>>();
  #fetching = 0;
  #inbound: Mm4Listener | undefined;
  #state: LinkState = { kind: "connecting", reason: "" };
  #closing: Promise<void> | undefined;

  /** Resolves when the peer's mail is listened for; whether the peer is there is told by `state`. */
  static async open(order: Mm4Order, listener: Mm4LinkListener, deps: Mm4Deps): Promise<Mm4Link> {
    const { settings } = order;
    const link = new Mm4Link(order, listener, deps);
    const intake = new Intake({
      clock: deps.clock,
      carrier: link.carrier,
      link: link.name,
      listener,
      recipientsOf: deps.recipientsOf,
      ourHost: settings.ourHost,
      carrierIdOf: (sid) => link.#carrierIdOf(sid),
      responded: (sid, isAccepted) => link.#responded(sid, isAccepted),
      post: (mail, about) => link.#courier.post(mail, about),
    });
    link.#inbound = await Mm4Listener.listen(settings, {
      log: deps.log,
      take: (mail) => intake.take(mail),
      times: link.#times,
    });
    void link.#pool.probe();
    return link;
  }

  private constructor({ carrier, settings }: Mm4Order, listener: Mm4LinkListener, deps: Mm4Deps) {
    this.name = settings.name;
    this.carrier = carrier;
    this.#settings = settings;
    this.#listener = listener;
    this.#deps = deps;
    this.#times = timesOf(settings, deps.times);
    this.#pool = new SmtpPool({
      connection: this.#connectionOptions(),
      connectionsMax: settings.maxConnections,
      times: this.#times,
      random: deps.random,
      changed: (kind, reason) => this.#turn({ kind: kind === "up" ? "bound" : kind, reason }),
      freed: () => this.#tell(() => listener.room()),
    });
    this.#courier = new Courier((mail) => this.#pool.send(mail), deps.log);
  }

  /** Where the peer's mail is listened for. */
  get port(): number {
    return this.#inbound?.port ?? 0;
  }

  get state(): LinkState {
    return this.#state;
  }

  /** Slow media of some do not take the connections of others. */
  room(): number {
    return this.#closing || this.#pool.room() === 0 ? 0 : FETCHING_MAX - this.#fetching;
  }

  submit(message: Outgoing, done: (outcome: SubmitOutcome) => void): void {
    const tell = (outcome: SubmitOutcome) => this.#tell(() => done(outcome));
    this.#submit(message, tell).catch((error: Error) => {
      this.#deps.log.error({ sid: message.sid, err: error }, "MMS not submitted");
      tell({ kind: "unknown", reason: "The server failed while it was sending", carrierIds: [] });
    });
  }

  /** Takes nothing more, waits for what is on its way, in either direction but not for ever, and ends the connections. What could not be
   *  waited for is settled before this resolves. */
  close(): Promise<void> {
    this.#closing ??= this.#drain();
    return this.#closing;
  }

  async #submit(message: Outgoing, done: (outcome: SubmitOutcome) => void): Promise<void> {
    this.#fetching++;
    const fetched = fetchMedia(this.#deps.media, message.mediaUrls, this.#settings.messageSizeMax);
    const media = await fetched.finally(() => this.#fetching--);
    if (!media.ok) return done(rejection(FAILURES.badMedia, media.refusal));
    const sending = this.#send(message, media.value).then(done);
    this.#submitting.add(sending);
    await sending.finally(() => this.#submitting.delete(sending));
  }

  async #send(message: Outgoing, media: readonly Media[]): Promise<SubmitOutcome> {
    const { sid, recipients, text } = message;
    const { messageSizeMax } = this.#settings;
    if (this.#closing) return { kind: "notSent", reason: "the link is closed" };
    if (recipients.length === 0 || recipients.length > RECIPIENTS_MAX)
      return rejection(FAILURES.unreachable, `A message goes to 1 to ${RECIPIENTS_MAX} recipients`);
    const tooBig = rejection(
      FAILURES.badMedia,
      `Text and media come to more than the ${messageSizeMax} octets that this carrier takes`,
    );
    // Told before the work of writing it.
    if (forwardLength(text, media) > messageSizeMax) return tooBig;
    const forward = this.#forwardOf(message, media);
    const bytes = encodeMm4(forward);
    if (bytes.length > messageSizeMax) return tooBig;
    const answer = await this.#pool.send({ from: forward.from, to: forward.to, bytes });
    if (answer.kind === "unknown") this.#remember(message);
    const addressOf = (number: string) => this.#peerAddress(number);
    return outcomeOf(answer, { carrierId: this.#carrierIdOf(sid), recipients, addressOf });
  }

  async #drain(): Promise<void> {
    await Promise.all([this.#inbound?.close(), this.#allSent()]);
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

  #forwardOf({ sid, from, recipients, text, expiresOn }: Outgoing, media: readonly Media[]): ForwardRequest {
    return {
      kind: "forward",
      transactionId: `"${sid}"`,
      messageId: `"${this.#carrierIdOf(sid)}"`,
      from: formatPhoneAddress(from, this.#settings.ourHost),
      to: recipients.map((number) => this.#peerAddress(number)),
      originatorSystem: systemAddress(this.#settings.ourHost),
      isAckRequested: true,
      isReportRequested: true,
      date: this.#deps.clock.now(),
      expiresAt: expiresOn,
      subject: "",
      text,
      media,
    };
  }

  #remember(message: Outgoing): void {
    this.#unknown.set(message.sid, message);
    for (const oldest of this.#unknown.keys()) {
      if (this.#unknown.size <= UNKNOWN_MAX) break;
      this.#unknown.delete(oldest);
    }
  }

  /** What nobody knew is known now; a refusal is told as a receipt. */
  #responded(sid: string, isAccepted: boolean): void {
    const message = this.#unknown.get(sid);
    this.#unknown.delete(sid);
    if (!message || !isAccepted) return;
    const carrierIds = memberIds(this.#carrierIdOf(sid), message.recipients);
    this.#tell(() => this.#listener.late({ message, link: this, outcome: { kind: "accepted", carrierIds } }));
  }

  #carrierIdOf(sid: string): string {
    return `${sid}@${this.#settings.ourHost}`;
  }

  #peerAddress(number: string): string {
    return formatPhoneAddress(number, this.#settings.peerHost);
  }

  #turn(state: LinkState): void {
    if (state.kind === this.#state.kind || this.#state.kind === "closed") return;
    this.#state = state;
    this.#deps.log[state.kind === "down" ? "warn" : "info"]({ link: this.name, ...state }, "link changed");
  }

  /** A listener that throws must not take others' outcomes with it. */
  #tell(call: () => void): void {
    try {
      call();
    } catch (error) {
      this.#deps.log.error({ link: this.name, error }, "link's listener failed");
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
