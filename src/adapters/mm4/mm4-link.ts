// An MM4 link to a carrier's MMS centre: submits MMS and receives MMS, responses and delivery reports, all over SMTP.
//
// Guarantees: those of `smtp-connection.ts` for what is sent; the peer's mail is answered only after the listener has
// taken it. A message keeps its ids however often it is submitted, so the peer can recognise a repeat. Stores nothing.
//
// An outgoing message is admitted (admission.ts), its media are fetched (media-fetches.ts), and then it waits for a
// connection. Accounts take turns for places to fetch and for connections.

import type { Clock } from "../../base/clock.ts";
import { FairPlaces } from "../../base/fair-places.ts";
import { forgetOldest } from "../../base/forget-oldest.ts";
import type { Log } from "../../base/log.ts";
import type { Result } from "../../base/result.ts";
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
import { LinkStateLog } from "../link-state-log.ts";
import { readPem } from "../pem.ts";
import { Admission } from "./admission.ts";
import { Intake } from "./intake.ts";
import { MediaFetches } from "./media-fetches.ts";
import { type ListenerTimes, Mm4Listener } from "./mm4-listener.ts";
import type { Mm4Settings } from "./mm4-settings.ts";
import { memberIds, outcomeOf, rejection } from "./outgoing.ts";
import { ResponseQueue } from "./response-queue.ts";
import type { ConnectionOptions } from "./smtp-connection.ts";
import { type PoolTimes, SmtpPool } from "./smtp-pool.ts";

export interface Mm4Order {
  readonly carrier: string;
  readonly settings: Mm4Settings;
}

/** MM4 carries no parts of texts. */
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
  /** Until the peer's greeting. */
  readonly connectMsMax: number;
  /** `readyMsMax` and `mailMsMax`: see ConnectionOptions. */
  readonly readyMsMax: number;
  readonly mailMsMax: number;
  /** How long a closing link waits for what is being sent. */
  readonly drainMsMax: number;
}

/** Defaults; the other times follow from the setting `responseSeconds`. */
const LINK_TIMES = {
  connectMsMax: 10_000,
  takeMsMax: 30_000,
  mailWaitMsMax: 600_000,
  hangUpMsMax: 5_000,
  idleMs: 30_000,
  retryMsMin: 500,
  retryMsMax: 30_000,
} as const satisfies Partial<LinkTimes>;

const RECIPIENTS_MAX = 20;
const UNKNOWN_MAX = 10_000;
/** Messages that the link holds, from `submit` to their outcome. */
const MESSAGES_MAX = 32;
const FETCHES_MAX = 32;
const CLOSED: SubmitOutcome = { kind: "notSent", reason: "the link is closed" };
const NO_SHARE_LEFT: SubmitOutcome = { kind: "notSent", reason: "the account has its share of the link" };
const EXPIRED: SubmitOutcome = { kind: "notSent", reason: "it expired while it waited" };
/** A mail may take this many times `responseSeconds` in all, however slowly the peer reads it. */
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
  readonly #responses: ResponseQueue;
  /** Messages of unknown outcome by their sids; a late response may still settle them. */
  readonly #unknown = new Map<string, Outgoing>();
  readonly #submitting = new Set<Promise<unknown>>();
  readonly #admission: Admission;
  readonly #media: MediaFetches;
  /** One for each message whose media are being fetched. */
  readonly #fetching = new Set<AbortController>();
  readonly #connections: FairPlaces;
  #inbound: Mm4Listener | undefined;
  readonly #states: LinkStateLog;
  #closing: Promise<void> | undefined;

  /** Resolves when the link listens for the peer's mail; `state` shows whether the peer can be reached. */
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
      post: (mail, about) => link.#responses.post(mail, about),
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
    const now = () => deps.clock.now().getTime();
    this.#states = new LinkStateLog({ link: this.name, kind: "connecting", reason: "" }, { log: deps.log, now });
    this.#pool = new SmtpPool({
      connection: this.#connectionOptions(),
      connectionsMax: settings.maxConnections,
      times: this.#times,
      random: deps.random,
      changed: (kind, reason) => this.#setState({ kind: kind === "up" ? "bound" : kind, reason }),
      freed: () => this.#notify(() => listener.freed()),
    });
    this.#admission = new Admission({
      messagesMax: MESSAGES_MAX,
      freed: () => this.#notify(() => listener.freed()),
    });
    this.#media = new MediaFetches(deps.media, { places: FETCHES_MAX, octetsMax: settings.messageSizeMax });
    const { maxConnections } = settings;
    this.#connections = new FairPlaces({ places: maxConnections, placesPerAccount: maxConnections });
    this.#responses = new ResponseQueue((mail) => this.#pool.send(mail), deps.log);
  }

  /** Where the link listens for the peer's mail. */
  get port(): number {
    return this.#inbound?.port ?? 0;
  }

  get state(): LinkState {
    return this.#states.state;
  }

  capacity(): number {
    return this.#closing || !this.#pool.isUp ? 0 : this.#admission.free;
  }

  roomFor(accountSid: string): number {
    return this.#admission.roomFor(accountSid);
  }

  submit(message: Outgoing, done: (outcome: SubmitOutcome) => void): void {
    const submitting = this.#submit(message)
      .catch((error: Error): SubmitOutcome => {
        this.#deps.log.error({ sid: message.sid, err: error }, "MMS not submitted");
        return { kind: "unknown", reason: "The server failed while it was sending", carrierIds: [] };
      })
      .then((outcome) => this.#notify(() => done(outcome)))
      .finally(() => this.#submitting.delete(submitting));
    this.#submitting.add(submitting);
  }

  /**
   * Takes no more messages, waits a bounded time for mail under way in either direction, and closes the connections.
   * Every submit has its outcome when this resolves.
   */
  close(): Promise<void> {
    this.#closing ??= this.#drain();
    return this.#closing;
  }

  async #submit(message: Outgoing): Promise<SubmitOutcome> {
    const { accountSid } = message;
    if (this.#closing) return CLOSED;
    if (!this.#admission.admit(accountSid)) return NO_SHARE_LEFT;
    try {
      const media = await this.#fetchMedia(message);
      if (this.#closing) return CLOSED;
      if (!media.ok) return rejection(FAILURES.badMedia, media.refusal);
      return await this.#connections.run(accountSid, () => this.#send(message, media.value));
    } finally {
      this.#admission.leave(accountSid);
    }
  }

  async #fetchMedia(message: Outgoing): Promise<Result<readonly Media[], string>> {
    const giveUp = new AbortController();
    this.#fetching.add(giveUp);
    try {
      return await this.#media.fetchAll(message, giveUp);
    } finally {
      this.#fetching.delete(giveUp);
    }
  }

  async #send(message: Outgoing, media: readonly Media[]): Promise<SubmitOutcome> {
    const { sid, recipients, text } = message;
    const { messageSizeMax } = this.#settings;
    if (message.expiresOn <= this.#deps.clock.now()) return EXPIRED;
    if (recipients.length === 0 || recipients.length > RECIPIENTS_MAX)
      return rejection(FAILURES.unreachable, `A message goes to 1 to ${RECIPIENTS_MAX} recipients`);
    const tooBig = rejection(
      FAILURES.badMedia,
      `Text and media come to more than the ${messageSizeMax} octets that this carrier takes`,
    );
    // Checked on an estimate first, to save encoding a message that is too big.
    if (forwardLength(text, media) > messageSizeMax) return tooBig;
    const forward = this.#forwardOf(message, media);
    const bytes = encodeMm4(forward);
    if (bytes.length > messageSizeMax) return tooBig;
    const answer = await this.#pool.send({ from: forward.from, to: forward.to, bytes });
    if (answer.kind === "unknown") {
      this.#unknown.set(sid, message);
      forgetOldest(this.#unknown, UNKNOWN_MAX);
    }
    const addressOf = (number: string) => this.#peerAddress(number);
    return outcomeOf(answer, { carrierId: this.#carrierIdOf(sid), recipients, addressOf });
  }

  async #drain(): Promise<void> {
    for (const giveUp of this.#fetching) giveUp.abort();
    await Promise.all([this.#inbound?.close(), this.#allSent()]);
    this.#responses.close();
    this.#pool.close();
    // Submits that were still under way: they end now, because their connections are closed.
    await Promise.allSettled(this.#submitting);
    this.#setState({ kind: "closed", reason: "" });
  }

  /** Resolves when nothing is being sent, or after `drainMsMax`. */
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

  /** Reports the late outcome of a message that was accepted; a refusal is reported as a receipt by the intake. */
  #responded(sid: string, isAccepted: boolean): void {
    const message = this.#unknown.get(sid);
    this.#unknown.delete(sid);
    if (!message || !isAccepted) return;
    const carrierIds = memberIds(this.#carrierIdOf(sid), message.recipients);
    this.#notify(() => this.#listener.late({ message, link: this, outcome: { kind: "accepted", carrierIds } }));
  }

  #carrierIdOf(sid: string): string {
    return `${sid}@${this.#settings.ourHost}`;
  }

  #peerAddress(number: string): string {
    return formatPhoneAddress(number, this.#settings.peerHost);
  }

  #setState(state: Omit<LinkState, "since">): void {
    if (state.kind !== this.state.kind && this.state.kind !== "closed") this.#states.set(state);
  }

  /** A listener that throws must not prevent the outcomes of other messages from being reported. */
  #notify(call: () => void): void {
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
