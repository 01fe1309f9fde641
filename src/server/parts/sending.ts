// Sending and receiving messages. Every worker opens it; the worker that holds the sending lease has the links and
// sends.

import type { MediaClient } from "../../adapters/attachments/attachment-client.ts";
import type { MediaFiles } from "../../adapters/attachments/attachment-files.ts";
import { PER_SECOND_MAX } from "../../adapters/http/core/live-tap.ts";
import { Mm4Link } from "../../adapters/mm4/mm4-link.ts";
import { decodePart } from "../../adapters/smpp/incoming.ts";
import type { PduTap } from "../../adapters/smpp/pdu-tap.ts";
import { SmppLink } from "../../adapters/smpp/smpp-link.ts";
import type { Database } from "../../adapters/store/engine/database.ts";
import { settleMissed } from "../../adapters/store/messaging/held-messages.ts";
import { inboxOver, receiveUnitOver, sweepReceivedKeys } from "../../adapters/store/messaging/inbox.ts";
import {
  claimUnconfirmed,
  hasEarlyReceipts,
  recipientsOf,
  StoredReceipts,
  sweepReceipts,
} from "../../adapters/store/messaging/message-receipts.ts";
import { PduOwners } from "../../adapters/store/messaging/pdu-owners.ts";
import { expireMessages, StoredSendQueue } from "../../adapters/store/messaging/send-queue.ts";
import { SendingLease } from "../../adapters/store/messaging/sending-lease.ts";
import { giveBackStrays } from "../../domain/give-back.ts";
import { parseNumber } from "../../domain/lookup/index.ts";
import {
  type CarrierReceipt,
  type InboundDeps,
  type LinkHealth,
  type LinkListener,
  type LinkName,
  makeRouter,
  type OpenLink,
  PartReceiver,
  type RouteRule,
  receiveMms,
  removingSettled,
  Sender,
  SwitchedLink,
  UnstoredAnswers,
} from "../../domain/messaging/index.ts";
import type { CarrierSettings } from "../config/carriers.ts";
import type { Context, Part } from "../running/part.ts";
import type { Task } from "../running/tasks.ts";

export interface SendingDeps extends Context {
  readonly mediaUrl: (sid: string) => string;
  readonly mms: { readonly media: MediaClient; readonly files: MediaFiles };
}

/** `failed`: this process tried to take over the sending and could not; the log has the reason, and it tries again. */
export type SendingStanding = "here" | "elsewhere" | "failed";

/** All links of the carriers, whichever process holds them. */
export function linksOf(carriers: readonly CarrierSettings[]): readonly LinkName[] {
  return carriers.flatMap(({ name: carrier, smpp, mm4 }) => [
    ...smpp.map(({ name }) => ({ name, carrier, kind: "sms" as const })),
    ...mm4.map(({ name }) => ({ name, carrier, kind: "mms" as const })),
  ]);
}

const LOOK_MS = 1_000;
const TIDY_MS = 5_000;
const QUERY_MS = 60_000;
const SWEEP_MS = 60_000;
/** Early receipts are found by a condition; this is the longest pause without it. */
const EARLY_MS = 60_000;
const QUERIES_AT_ONCE = 100;

export class Sending implements Part {
  readonly name = "sending";
  readonly #deps: SendingDeps;
  readonly #db: Database;
  readonly #queue: StoredSendQueue;
  /** Answers of carriers that are not stored yet: their receipts wait for them. */
  readonly #answers = new UnstoredAnswers();
  readonly #receipts: StoredReceipts;
  readonly #pduOwners: PduOwners;
  readonly #inbound: InboundDeps;
  readonly #parts: PartReceiver;
  readonly #lease: SendingLease;
  #links: readonly SwitchedLink[] = [];
  /** The last attempt to take over the sending failed. */
  #hasFailed = false;
  #sender: Sender | undefined;
  #term = 0;
  /** How many links were opened, so that no two sessions have the same name. */
  #opened = 0;

  constructor(deps: SendingDeps, db: Database) {
    this.#deps = deps;
    this.#db = db;
    const { clock, ids, log, mediaUrl } = deps;
    this.#queue = new StoredSendQueue(db);
    this.#pduOwners = new PduOwners(db, clock);
    this.#receipts = new StoredReceipts(db, {
      linksOf: (carrier) => deps.outside.carriers.find(({ name }) => name === carrier)?.smpp ?? [],
      answersStored: () => this.#answers.removed(),
      clock,
    });
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
      { began: (term) => this.#takeOver(term), ended: () => this.#end(), mayHold: () => clock.isRight },
      log,
    );
  }

  /** Names and states of the links that this process has open. */
  get links(): readonly LinkHealth[] {
    return this.#links.map(({ health }) => health);
  }

  get standing(): SendingStanding {
    return this.#hasFailed ? "failed" : this.#sender ? "here" : "elsewhere";
  }

  get tasks(): readonly Task[] {
    const now = () => this.#deps.clock.now();
    const tidy = (name: string, run: () => Promise<unknown>): Task => ({ name, everyMs: TIDY_MS, run });
    return [
      { name: "look for messages", everyMs: LOOK_MS, run: () => this.#look() },
      {
        name: "receipts that came early",
        everyMs: EARLY_MS,
        when: hasEarlyReceipts,
        run: () => this.#receipts.applyEarly(now()),
      },
      { name: "query missing receipts", everyMs: QUERY_MS, run: () => this.#queryMissingReceipts() },
      { ...tidy("stop and start links", () => this.#obeyOperator()), ignoresClock: true },
      { ...tidy("give back messages", () => this.#giveBack()), ignoresClock: true },
      tidy("expire messages", () => expireMessages(this.#db, now())),
      tidy("settle held messages that were missed", () => settleMissed(this.#db, now())),
      tidy("forget parts that were answered", () => this.#parts.forgetAnswered(now())),
      tidy("give up parts that wait", () => this.#parts.giveUpWaiting(now())),
      { name: "sweep receipts", everyMs: SWEEP_MS, run: () => sweepReceipts(this.#db, now()) },
      { name: "sweep keys of received messages", everyMs: SWEEP_MS, run: () => sweepReceivedKeys(this.#db, now()) },
    ];
  }

  open(): Promise<void> {
    return this.#lease.open();
  }

  close(): Promise<void> {
    return this.#lease.close();
  }

  async #takeOver(term: number): Promise<void> {
    try {
      await this.#begin(term);
      this.#hasFailed = false;
    } catch (fault) {
      this.#hasFailed = true;
      throw fault;
    }
  }

  async #begin(term: number): Promise<void> {
    const { clock, log, config, store } = this.#deps;
    const lost = await this.#queue.beginTerm(term, clock.now());
    if (lost > 0)
      log.warn({ count: lost }, "messages of unknown outcome, for their sender stopped while it was sending");
    const stopped = await this.#stoppedNames();
    const listener = this.#listener();
    this.#term = term;
    this.#links = [...this.#smsLinks(term, listener), ...this.#mmsLinks(listener)];
    const sender = new Sender({
      queue: removingSettled(this.#queue, this.#answers),
      route: makeRouter(config.file.routes as readonly RouteRule[], this.#links),
      clock,
      chance: Math.random,
      log,
      report: (settled) => {
        this.#answers.add(settled);
        this.#deps.metrics.submitted(settled.link.name, settled.outcome.kind);
      },
    });
    this.#sender = sender;
    store.intake.handTo({ term: () => (sender.hasRoom ? term : undefined), sender });
    store.notifier.onMessages(
      () => void this.#look().catch((error: Error) => log.warn({ reason: error.message }, "queue not read")),
    );
    store.notifier.onLinks(
      () =>
        void this.#obeyOperator().catch((error: Error) => log.warn({ reason: error.message }, "links not switched")),
    );
    await this.#setStopped(stopped);
  }

  #listener(): LinkListener {
    const { clock, log, metrics, mms } = this.#deps;
    return {
      receipt: (receipt) => this.#takeReceipt(receipt),
      part: async (part) => {
        await this.#parts.receive(part);
        metrics.received(part.link, "sms");
      },
      mms: async (message) => {
        const verdict = await receiveMms({ ...this.#inbound, files: mms.files }, message);
        if (verdict === "taken") metrics.received(message.link, "mms");
        return verdict;
      },
      late: (answer) =>
        void this.#receipts
          .noteLate({ ...answer, at: clock.now() })
          .catch((error: Error) =>
            log.warn({ sid: answer.message.sid, reason: error.message }, "late answer not written down"),
          ),
      room: () => this.#sender?.pump(),
    };
  }

  #smsLinks(term: number, listener: LinkListener): readonly SwitchedLink[] {
    const { clock, log, config, outside } = this.#deps;
    const elapsedMs = () => performance.now();
    const tap = this.#tap();
    const deps = { log, now: () => clock.now().getTime(), elapsedMs, random: Math.random, secret: config.secret, tap };
    return outside.carriers.flatMap(({ name: carrier, smpp, statuses }) =>
      smpp.map((settings) => {
        const open = async (): Promise<OpenLink> => {
          const link = new SmppLink({ carrier, settings, statuses, run: `${term} ${++this.#opened}` }, listener, deps);
          link.start();
          return link;
        };
        return new SwitchedLink({
          name: settings.name,
          carrier,
          kind: "sms",
          open,
          clock,
          window: settings.windowSize,
        });
      }),
    );
  }

  /** Publishes the PDUs of SMPP links to the accounts that they belong to. */
  #tap(): PduTap {
    const { live, clock, log } = this.#deps;
    const owners = this.#pduOwners;
    const isListened = () => live.isListened("SmppPdu");
    let second = 0;
    let told = 0;
    const hasBudget = () => {
      const now = Math.floor(performance.now() / 1_000);
      if (now !== second) told = 0;
      second = now;
      return told < PER_SECOND_MAX;
    };
    return {
      // PDUs that arrive while many owners are being looked up are not shown.
      isOn: () => isListened() && !owners.isBusy && hasBudget(),
      admits: () => hasBudget() && ++told > 0,
      answered: (carrier, carrierId, message) => isListened() && owners.answered(carrier, carrierId, message),
      tell: async ({ about, ...pdu }) => {
        const at = clock.now();
        try {
          const owner = about.kind === "message" ? about.message : await owners.of(pdu.carrier, about);
          const data = { at, ...pdu, messageSid: owner?.sid ?? null };
          live.publish({ kind: "SmppPdu", accountSid: owner?.accountSid ?? null, data }, Date.now());
        } catch (error) {
          log.warn({ link: pdu.link, reason: (error as Error).message }, "PDU not shown");
        }
      },
    };
  }

  #mmsLinks(listener: LinkListener): readonly SwitchedLink[] {
    const { outside, clock, log, config, mms } = this.#deps;
    const deps = {
      media: mms.media,
      recipientsOf: (carrier: string, carrierId: string) => recipientsOf(this.#db, carrier, carrierId),
      clock,
      log,
      random: Math.random,
      secret: config.secret,
    };
    return outside.carriers.flatMap(({ name: carrier, mm4 }) =>
      mm4.map((settings) => {
        const open = async (): Promise<OpenLink> => {
          const link = await Mm4Link.open({ carrier, settings }, listener, deps);
          outside.mmsListens(link.name, link.port);
          return link;
        };
        const { name, maxConnections: window } = settings;
        return new SwitchedLink({ name, carrier, kind: "mms", open, clock, window });
      }),
    );
  }

  /** Stops and starts links as the operator orders, and reports their state to processes without links. */
  async #obeyOperator(): Promise<void> {
    const { store, clock } = this.#deps;
    if (this.#links.length === 0) return;
    await this.#setStopped(await this.#stoppedNames());
    await store.toldLinks.tell(this.#term, this.links, clock.now());
  }

  /** A link that cannot be opened is down, and the others send. Each call tries it again. */
  async #setStopped(stopped: ReadonlySet<string>): Promise<void> {
    const { log } = this.#deps;
    const set = async (link: SwitchedLink) => {
      const before = link.state.reason;
      await link.setStopped(stopped.has(link.name)).catch(({ message: reason }: Error) => {
        if (reason !== before) log.warn({ link: link.name, reason }, "link not opened");
      });
    };
    await Promise.all(this.#links.map(set));
  }

  async #stoppedNames(): Promise<ReadonlySet<string>> {
    return new Set((await this.#deps.store.stoppedLinks.list()).map(({ name }) => name));
  }

  async #takeReceipt(receipt: CarrierReceipt): Promise<void> {
    await this.#receipts.take(receipt);
    this.#deps.metrics.receipt(receipt.carrier, receipt.state);
  }

  async #end(): Promise<void> {
    const { store, log } = this.#deps;
    store.intake.handTo(undefined);
    store.notifier.onMessages(() => undefined);
    store.notifier.onLinks(() => undefined);
    // Otherwise the next holder of the lease would treat messages that were never submitted as messages of unknown
    // outcome.
    await this.#giveBack().catch((error: Error) => log.warn({ reason: error.message }, "messages not given back"));
    const sender = this.#sender;
    this.#sender = undefined;
    const stopped = sender?.close();
    try {
      await Promise.all(this.#links.map((link) => link.close()));
      await stopped;
    } finally {
      this.#answers.clear();
      this.#pduOwners.clear();
      this.#links = [];
    }
  }

  /** Queries carriers for messages without a receipt: it may have been lost. */
  async #queryMissingReceipts(): Promise<void> {
    if (this.#links.length === 0) return;
    for (const { link, carrierId, from } of await claimUnconfirmed(this.#db, this.#deps.clock.now(), QUERIES_AT_ONCE)) {
      const receipt = await this.#links.find(({ name }) => name === link)?.ask?.(carrierId, from);
      if (receipt) await this.#takeReceipt(receipt);
    }
  }

  async #look(): Promise<void> {
    await this.#sender?.look();
  }

  async #giveBack(): Promise<void> {
    if (this.#sender) await giveBackStrays(this.#sender.claims, this.#deps.log);
  }
}
