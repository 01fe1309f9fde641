// Messaging with everything it needs: the queue, the sender where this process holds the lease, links to carriers, receipts, inbound.

import type { MediaClient } from "../adapters/attachments/attachment-client.ts";
import type { MediaFiles } from "../adapters/attachments/attachment-files.ts";
import type { LinkHealth } from "../adapters/http/routes/messaging/operator-links.ts";
import type { Metrics } from "../adapters/metrics.ts";
import { Mm4Link } from "../adapters/mm4/mm4-link.ts";
import { decodePart } from "../adapters/smpp/incoming.ts";
import { SmppLink } from "../adapters/smpp/smpp-link.ts";
import { type ConnectionSettings, Database } from "../adapters/store/engine/database.ts";
import { releaseMissed } from "../adapters/store/messaging/held-messages.ts";
import { inboxOver, receiveUnitOver, sweepReceivedKeys } from "../adapters/store/messaging/inbox.ts";
import {
  recipientsOf,
  StoredReceipts,
  sweepReceipts,
  takeSilent,
} from "../adapters/store/messaging/message-receipts.ts";
import { expireMessages, outgoingOf, StoredSendQueue } from "../adapters/store/messaging/send-queue.ts";
import { senderDirectory } from "../adapters/store/messaging/sender-directory.ts";
import { SendingLease } from "../adapters/store/messaging/sending-lease.ts";
import type { OpenStore } from "../adapters/store/store.ts";
import type { Clock } from "../base/clock.ts";
import { makeIds } from "../base/ids.ts";
import type { Log } from "../base/log.ts";
import {
  type InboundDeps,
  type LinkListener,
  makeRouter,
  type NumberReader,
  type OpenLink,
  PartReceiver,
  type RouteRule,
  receiveMms,
  Sender,
  type SenderDirectory,
} from "../domain/messaging/index.ts";
import type { CarrierSettings } from "./carriers.ts";
import type { Config } from "./config.ts";
import type { Task } from "./tasks.ts";

export interface MessagingDeps {
  readonly config: Config;
  readonly carriers: readonly CarrierSettings[];
  readonly connection: ConnectionSettings;
  readonly store: OpenStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly readNumber: NumberReader;
  readonly mediaUrl: (sid: string) => string;
  readonly mms: { readonly media: MediaClient; readonly files: MediaFiles };
  /** Told where the mail of a carrier's MMS centre is listened for. */
  readonly mmsListens: (link: string, port: number) => void;
}

export interface MessagingPart {
  readonly senders: SenderDirectory;
  readonly tasks: readonly Task[];
  /** Names and states of the links this process keeps. */
  readonly links: () => readonly LinkHealth[];
  close(): Promise<void>;
}

const CONNECTIONS = 6;
const LOOK_MS = 1_000;
const COUNT_MS = 5_000;
const TIDY_MS = 5_000;
const ASK_MS = 60_000;
const ASKED_AT_ONCE = 100;

export async function openMessaging(deps: MessagingDeps): Promise<MessagingPart> {
  const { config, store, log, connection } = deps;
  // Its statements join a handful of keys with large tables by their indexes; without statistics the planner would scan.
  const db = new Database(connection, log, {
    connectionsMax: CONNECTIONS,
    options: "-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off",
  });
  const countryOf = (number: string) => {
    const read = deps.readNumber(number);
    return read.ok ? read.value.country : undefined;
  };
  const senders = senderDirectory(db, countryOf);
  const count = { name: "count waiting messages", everyMs: COUNT_MS, run: () => store.intake.count() };
  if (!config.settings.TANDEM_ROLES.includes("worker")) {
    return { senders, tasks: [count], links: () => [], close: () => db.close() };
  }
  const sending = new Sending(deps, db);
  await sending.open();
  return {
    senders,
    tasks: [count, ...sending.tasks],
    links: () =>
      sending.links.map((link) => ({
        name: link.name,
        carrier: link.carrier,
        kind: link.kind,
        state: link.state.kind,
        reason: link.state.reason,
        room: link.room(),
      })),
    async close() {
      await sending.close();
      await db.close();
    },
  };
}

/** What only the process does that holds the lease. */
class Sending {
  readonly #deps: MessagingDeps;
  readonly #db: Database;
  readonly #queue: StoredSendQueue;
  readonly #receipts: StoredReceipts;
  readonly #inbound: InboundDeps;
  readonly #parts: PartReceiver;
  readonly #lease: SendingLease;
  #links: readonly OpenLink[] = [];
  #sender: Sender | undefined;

  constructor(deps: MessagingDeps, db: Database) {
    this.#deps = deps;
    this.#db = db;
    const { clock, log, readNumber, mediaUrl } = deps;
    this.#queue = new StoredSendQueue(db);
    this.#receipts = new StoredReceipts(db);
    this.#inbound = {
      inbox: inboxOver(db),
      transaction: (work) => db.transaction((unit) => work(receiveUnitOver(unit))),
      ids: makeIds(clock),
      mediaUrl,
      clock,
    };
    this.#parts = new PartReceiver({ ...this.#inbound, readNumber, decode: decodePart, log });
    this.#lease = new SendingLease(
      deps.connection,
      { began: (term) => this.#begin(term), ended: () => this.#end() },
      log,
    );
  }

  get links(): readonly OpenLink[] {
    return this.#links;
  }

  get tasks(): readonly Task[] {
    const now = () => this.#deps.clock.now();
    const tidy = (name: string, run: () => Promise<void>): Task => ({ name, everyMs: TIDY_MS, run });
    return [
      { name: "look for messages", everyMs: LOOK_MS, run: () => this.#look() },
      { name: "receipts that came early", everyMs: LOOK_MS, run: () => this.#receipts.applyEarly(now()) },
      { name: "ask after silent messages", everyMs: ASK_MS, run: () => this.#askAfterSilent() },
      tidy("expire messages", () => untilNone(() => expireMessages(this.#db, now()))),
      tidy("release missed messages", () => releaseMissed(this.#db, now())),
      tidy("forget parts that were answered", () => this.#parts.forgetAnswered(now())),
      tidy("give up parts that wait", () => this.#parts.giveUpWaiting(now())),
      tidy("sweep receipts", () => untilNone(() => sweepReceipts(this.#db, now()))),
      tidy("sweep keys of received messages", () => untilNone(() => sweepReceivedKeys(this.#db, now()))),
    ];
  }

  open(): Promise<void> {
    return this.#lease.open();
  }

  close(): Promise<void> {
    return this.#lease.close();
  }

  async #begin(term: number): Promise<void> {
    const { clock, log, config, store, carriers, mms } = this.#deps;
    const lost = await this.#queue.beginTerm(term, clock.now());
    if (lost > 0)
      log.warn({ count: lost }, "messages of unknown outcome, for their sender stopped while it was sending");
    const listener: LinkListener = {
      receipt: (receipt) => this.#receipts.take(receipt),
      part: (part) => this.#parts.receive(part),
      mms: (message) => receiveMms({ ...this.#inbound, files: mms.files }, message),
      late: (answer) =>
        void this.#receipts
          .noteLate({ ...answer, at: clock.now() })
          .catch((error: Error) =>
            log.warn({ sid: answer.message.sid, reason: error.message }, "late answer not written down"),
          ),
      room: () => this.#sender?.pump(),
    };
    const mmsLinks = await this.#openMms(listener);
    const elapsedMs = () => performance.now();
    const linkDeps = { log, now: Date.now, elapsedMs, random: Math.random, secret: config.secret };
    const smppLinks = carriers.flatMap(({ name, smpp }) =>
      smpp.map((settings) => new SmppLink({ carrier: name, settings, run: String(term) }, listener, linkDeps)),
    );
    this.#links = [...smppLinks, ...mmsLinks];
    const sender = new Sender({
      queue: this.#queue,
      route: makeRouter(config.file.routes as readonly RouteRule[], this.#links),
      clock,
      chance: Math.random,
      log,
      report: (settled) => this.#deps.metrics.submitted(settled.link.name, settled.outcome.kind),
    });
    this.#sender = sender;
    store.intake.handTo({
      term: () => (sender.hasRoom ? term : undefined),
      take: (messages) => sender.take(messages.map(outgoingOf)),
    });
    store.notifier.onMessages(
      () => void this.#look().catch((error: Error) => log.warn({ reason: error.message }, "queue not read")),
    );
    for (const link of smppLinks) link.start();
  }

  async #openMms(listener: LinkListener): Promise<readonly OpenLink[]> {
    const { carriers, clock, log, config, mms, mmsListens } = this.#deps;
    const deps = {
      media: mms.media,
      recipientsOf: (carrier: string, carrierId: string) => recipientsOf(this.#db, carrier, carrierId),
      clock,
      log,
      random: Math.random,
      secret: config.secret,
    };
    const links: OpenLink[] = [];
    try {
      for (const { name, mm4 } of carriers) {
        for (const settings of mm4) {
          const link = await Mm4Link.open({ carrier: name, settings }, listener, deps);
          mmsListens(link.name, link.port);
          links.push(link);
        }
      }
    } catch (fault) {
      // Whoever tries next needs their ports.
      await Promise.all(links.map((link) => link.close()));
      throw fault;
    }
    return links;
  }

  async #end(): Promise<void> {
    const { store } = this.#deps;
    store.intake.handTo(undefined);
    store.notifier.onMessages(() => undefined);
    const sender = this.#sender;
    this.#sender = undefined;
    const stopped = sender?.close();
    await Promise.all(this.#links.map((link) => link.close()));
    await stopped;
    this.#links = [];
  }

  /** A receipt may have been lost: then the carrier still knows what became of the message. */
  async #askAfterSilent(): Promise<void> {
    if (this.#links.length === 0) return;
    for (const { link, carrierId, from } of await takeSilent(this.#db, this.#deps.clock.now(), ASKED_AT_ONCE)) {
      const receipt = await this.#links.find(({ name }) => name === link)?.ask?.(carrierId, from);
      if (receipt) await this.#receipts.take(receipt);
    }
  }

  async #look(): Promise<void> {
    await this.#sender?.look();
  }
}

async function untilNone(some: () => Promise<number>): Promise<void> {
  while ((await some()) > 0);
}
