// Sending and receiving messages. Every worker opens it; the worker that holds the sending lease has the links and
// sends.

import type { MediaClient } from "../../adapters/attachments/attachment-client.ts";
import { PER_SECOND_MAX } from "../../adapters/http/core/live-tap.ts";
import { Mm4Link } from "../../adapters/mm4/mm4-link.ts";
import { decodePart } from "../../adapters/smpp/incoming.ts";
import type { PduTap } from "../../adapters/smpp/pdu-tap.ts";
import { SmppLink } from "../../adapters/smpp/smpp-link.ts";
import type { Database } from "../../adapters/store/engine/database.ts";
import { settleMissed } from "../../adapters/store/messaging/held-messages.ts";
import { inboxOver, receiveUnitOver, sweepReceivedKeys } from "../../adapters/store/messaging/inbox.ts";
import {
  hasEarlyReceipts,
  recipientsOf,
  StoredReceipts,
  sweepReceipts,
} from "../../adapters/store/messaging/message-receipts.ts";
import { StoredPduOwners } from "../../adapters/store/messaging/pdu-owners.ts";
import { StoredSendQueue } from "../../adapters/store/messaging/send-queue.ts";
import { SendingLease } from "../../adapters/store/messaging/sending-lease.ts";
import { expireMessages } from "../../adapters/store/messaging/waiting-messages.ts";
import { parseNumber } from "../../domain/lookup/index.ts";
import {
  type InboundDeps,
  type LinkHealth,
  type LinkListener,
  type LinkName,
  type MediaKeeper,
  makePlacer,
  type OpenLink,
  PartReceiver,
  type RouteRule,
  receiveMms,
  type SendingStanding,
  SendingTerms,
  ShownPdus,
  SwitchedLink,
} from "../../domain/messaging/index.ts";
import type { CarrierSettings } from "../config/carriers.ts";
import type { Context, Part } from "../running/part.ts";
import type { Task } from "../running/tasks.ts";

export interface SendingDeps extends Context {
  readonly mediaUrl: (sid: string) => string;
  readonly mms: { readonly media: MediaClient; readonly files: MediaKeeper };
}

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

export class Sending implements Part {
  readonly name = "sending";
  readonly #deps: SendingDeps;
  readonly #db: Database;
  readonly #receipts: StoredReceipts;
  readonly #pduOwners: StoredPduOwners;
  readonly #inbound: InboundDeps;
  readonly #parts: PartReceiver;
  readonly #terms: SendingTerms;
  readonly #lease: SendingLease;
  /** How many links were opened, so that no two sessions have the same name. */
  #opened = 0;

  constructor(deps: SendingDeps, db: Database) {
    this.#deps = deps;
    this.#db = db;
    const { clock, ids, log, mediaUrl, store, config, metrics, traces } = deps;
    this.#pduOwners = new StoredPduOwners(db, clock);
    this.#receipts = new StoredReceipts(db, {
      linksOf: (carrier) => deps.outside.carriers.find(({ name }) => name === carrier)?.smpp ?? [],
      answersStored: () => this.#terms.answers.removed(),
      weeks: store.messageWeeks,
      clock,
    });
    this.#inbound = {
      inbox: inboxOver(db, store.messageWeeks),
      transaction: (work) =>
        db.transaction((unit) => work(receiveUnitOver(unit, store.optOutFilter, store.messageWeeks))),
      ids,
      mediaUrl,
      clock,
    };
    this.#parts = new PartReceiver({ ...this.#inbound, readNumber: parseNumber, decode: decodePart, log });
    const listener = this.#listener();
    this.#terms = new SendingTerms({
      queue: new StoredSendQueue(db, makePlacer(config.file.routes as readonly RouteRule[]), store.messageWeeks),
      makeLinks: (term) => [...this.#smsLinks(term, listener), ...this.#mmsLinks(listener)],
      routes: config.file.routes as readonly RouteRule[],
      weightOf: (accountSid) => store.directory.weightOf(accountSid),
      handTo: (sending) => store.intake.handTo(sending),
      stoppedLinks: store.stoppedLinks,
      reportedLinks: store.reportedLinks,
      receipts: {
        take: listener.receipt,
        claimUnconfirmed: (now, limit) => this.#receipts.claimUnconfirmed(now, limit),
      },
      submitted: (settled) => {
        metrics.submitted(settled.link.name, settled.outcome.kind);
        traces?.submitted(settled);
      },
      clock,
      log,
    });
    const orWarn = (run: () => Promise<void>, what: string) => () =>
      void run().catch((error: Error) => log.warn({ reason: error.message }, what));
    store.notifier.onMessages = orWarn(() => this.#terms.look(), "queue not read");
    store.notifier.onLinks = orWarn(() => this.#terms.switchLinks(), "links not switched");
    this.#lease = new SendingLease(
      deps.connection,
      {
        began: (term) => this.#terms.begin(term),
        ended: () => this.#terms.end().finally(() => this.#pduOwners.clear()),
        mayHold: () => clock.isRight,
      },
      log,
    );
  }

  /** Names and states of the links that this process has open. */
  get links(): readonly LinkHealth[] {
    return this.#terms.links;
  }

  get standing(): SendingStanding {
    return this.#terms.standing;
  }

  get tasks(): readonly Task[] {
    const terms = this.#terms;
    const now = () => this.#deps.clock.now();
    const tidy = (name: string, run: () => Promise<unknown>): Task => ({ name, everyMs: TIDY_MS, run });
    return [
      { name: "look for messages", everyMs: LOOK_MS, run: () => terms.look() },
      {
        name: "receipts that came early",
        everyMs: EARLY_MS,
        when: hasEarlyReceipts,
        run: () => this.#receipts.applyEarly(now()),
      },
      { name: "query missing receipts", everyMs: QUERY_MS, run: () => terms.queryMissingReceipts() },
      { ...tidy("stop and start links", () => terms.switchLinks()), ignoresClock: true },
      { ...tidy("give back messages", () => terms.giveBack()), ignoresClock: true },
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

  #listener(): LinkListener {
    const { clock, log, metrics, mms, traces } = this.#deps;
    return {
      receipt: async (receipt) => {
        await this.#receipts.take(receipt);
        metrics.receipt(receipt.carrier, receipt.state);
        traces?.received(receipt);
      },
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
      freed: () => this.#terms.pump(),
    };
  }

  #smsLinks(term: number, listener: LinkListener): readonly SwitchedLink[] {
    const { clock, log, config, outside } = this.#deps;
    const tap = this.#tap();
    const times = { now: () => clock.now().getTime(), elapsedMs: () => clock.elapsedMs() };
    const deps = { log, ...times, random: Math.random, secret: config.secret, tap };
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
    const shown = new ShownPdus({
      isWatched: () => live.isListened("SmppPdu"),
      isWatchedBy: (accountSid) => live.isListenedBy("SmppPdu", accountSid),
      owners: this.#pduOwners,
      perSecondMax: PER_SECOND_MAX,
      elapsedMs: () => clock.elapsedMs(),
    });
    const { isOn, admits, answered } = shown;
    return {
      isOn,
      admits,
      answered,
      show: async ({ about, ...pdu }) => {
        const at = clock.now();
        try {
          const owner = await shown.ownerOf(pdu.carrier, about);
          const data = { at, ...pdu, messageSid: owner?.sid ?? null };
          live.publish({ kind: "SmppPdu", accountSid: owner?.accountSid ?? null, data }, at.getTime());
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
}
