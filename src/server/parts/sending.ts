// Sending and receiving messages. Every worker opens it; the one that holds the sending lease has links and sends.

import type { MediaClient } from "../../adapters/attachments/attachment-client.ts";
import type { MediaFiles } from "../../adapters/attachments/attachment-files.ts";
import type { LinkHealth } from "../../adapters/http/routes/messaging/operator-links.ts";
import { Mm4Link } from "../../adapters/mm4/mm4-link.ts";
import { decodePart } from "../../adapters/smpp/incoming.ts";
import { SmppLink } from "../../adapters/smpp/smpp-link.ts";
import type { Database } from "../../adapters/store/engine/database.ts";
import { settleMissed } from "../../adapters/store/messaging/held-messages.ts";
import { inboxOver, receiveUnitOver, sweepReceivedKeys } from "../../adapters/store/messaging/inbox.ts";
import {
  claimUnconfirmed,
  recipientsOf,
  StoredReceipts,
  sweepReceipts,
} from "../../adapters/store/messaging/message-receipts.ts";
import { expireMessages, outgoingOf, StoredSendQueue } from "../../adapters/store/messaging/send-queue.ts";
import { SendingLease } from "../../adapters/store/messaging/sending-lease.ts";
import { parseNumber } from "../../domain/lookup/index.ts";
import {
  type InboundDeps,
  type LinkListener,
  makeRouter,
  type OpenLink,
  PartReceiver,
  type RouteRule,
  receiveMms,
  Sender,
} from "../../domain/messaging/index.ts";
import type { Context, Part } from "../running/part.ts";
import type { Task } from "../running/tasks.ts";

export interface SendingDeps extends Context {
  readonly mediaUrl: (sid: string) => string;
  readonly mms: { readonly media: MediaClient; readonly files: MediaFiles };
}

const LOOK_MS = 1_000;
const TIDY_MS = 5_000;
const QUERY_MS = 60_000;
const QUERIES_AT_ONCE = 100;

export class Sending implements Part {
  readonly name = "sending";
  readonly #deps: SendingDeps;
  readonly #db: Database;
  readonly #queue: StoredSendQueue;
  readonly #receipts: StoredReceipts;
  readonly #inbound: InboundDeps;
  readonly #parts: PartReceiver;
  readonly #lease: SendingLease;
  #links: readonly OpenLink[] = [];
  #sender: Sender | undefined;

  constructor(deps: SendingDeps, db: Database) {
    this.#deps = deps;
    this.#db = db;
    const { clock, ids, log, mediaUrl } = deps;
    this.#queue = new StoredSendQueue(db);
    this.#receipts = new StoredReceipts(
      db,
      (carrier) => deps.outside.carriers.find(({ name }) => name === carrier)?.smpp ?? [],
    );
    this.#inbound = {
      inbox: inboxOver(db),
      transaction: (work) => db.transaction((unit) => work(receiveUnitOver(unit))),
      ids,
      mediaUrl,
      clock,
    };
    this.#parts = new PartReceiver({ ...this.#inbound, readNumber: parseNumber, decode: decodePart, log });
    this.#lease = new SendingLease(
      deps.connection,
      { began: (term) => this.#begin(term), ended: () => this.#end() },
      log,
    );
  }

  /** Names and states of the links that this process has open. */
  get links(): readonly LinkHealth[] {
    return this.#links.map((link) => ({
      name: link.name,
      carrier: link.carrier,
      kind: link.kind,
      state: link.state.kind,
      reason: link.state.reason,
      room: link.room(),
    }));
  }

  get tasks(): readonly Task[] {
    const now = () => this.#deps.clock.now();
    const tidy = (name: string, run: () => Promise<unknown>): Task => ({ name, everyMs: TIDY_MS, run });
    return [
      { name: "look for messages", everyMs: LOOK_MS, run: () => this.#look() },
      { name: "receipts that came early", everyMs: LOOK_MS, run: () => this.#receipts.applyEarly(now()) },
      { name: "query missing receipts", everyMs: QUERY_MS, run: () => this.#queryMissingReceipts() },
      tidy("expire messages", () => expireMessages(this.#db, now())),
      tidy("settle held messages that were missed", () => settleMissed(this.#db, now())),
      tidy("forget parts that were answered", () => this.#parts.forgetAnswered(now())),
      tidy("give up parts that wait", () => this.#parts.giveUpWaiting(now())),
      tidy("sweep receipts", () => sweepReceipts(this.#db, now())),
      tidy("sweep keys of received messages", () => sweepReceivedKeys(this.#db, now())),
    ];
  }

  open(): Promise<void> {
    return this.#lease.open();
  }

  close(): Promise<void> {
    return this.#lease.close();
  }

  async #begin(term: number): Promise<void> {
    const { clock, log, config, store, outside, mms } = this.#deps;
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
    const smppLinks = outside.carriers.flatMap(({ name, smpp, statuses }) =>
      smpp.map(
        (settings) => new SmppLink({ carrier: name, settings, statuses, run: String(term) }, listener, linkDeps),
      ),
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
    const { outside, clock, log, config, mms } = this.#deps;
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
      for (const { name, mm4 } of outside.carriers) {
        for (const settings of mm4) {
          const link = await Mm4Link.open({ carrier: name, settings }, listener, deps);
          outside.mmsListens(link.name, link.port);
          links.push(link);
        }
      }
    } catch (fault) {
      // The next attempt needs the ports of the links that are open.
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

  /** Queries carriers for messages without a receipt: it may have been lost. */
  async #queryMissingReceipts(): Promise<void> {
    if (this.#links.length === 0) return;
    for (const { link, carrierId, from } of await claimUnconfirmed(this.#db, this.#deps.clock.now(), QUERIES_AT_ONCE)) {
      const receipt = await this.#links.find(({ name }) => name === link)?.ask?.(carrierId, from);
      if (receipt) await this.#receipts.take(receipt);
    }
  }

  async #look(): Promise<void> {
    await this.#sender?.look();
  }
}
