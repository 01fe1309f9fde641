// The links of the configured carriers as messaging sees them, and what the carriers bring over them.

import type { InboundPart, LinkReceipt, LinkState, SubmitOutcome as SmppOutcome } from "../adapters/smpp/link-owner.ts";
import type { LinkSettings } from "../adapters/smpp/link-settings.ts";
import { SmppLink } from "../adapters/smpp/smpp-link.ts";
import type { Log } from "../base/log.ts";
import {
  type CarrierLink,
  type CarrierReceipt,
  failureOfStatus,
  type SubmitOutcome,
} from "../domain/messaging/index.ts";

export interface LinkNews {
  /** Resolves when it is stored; only then is the carrier answered. */
  receipt(receipt: CarrierReceipt): Promise<void>;
  part(from: LinkPlace, part: InboundPart): Promise<void>;
  /** The answer to a submit of unknown outcome has come after all. */
  late(answer: LateAnswer): void;
  room(): void;
}

export interface LateAnswer {
  readonly accountSid: string;
  readonly sid: string;
  readonly carrier: string;
  readonly link: string;
  readonly outcome: SubmitOutcome;
}

/** Where something came in. */
export interface LinkPlace {
  readonly carrier: string;
  readonly link: string;
  /** Another one after every reconnection. */
  readonly session: string;
}

export interface OpenLink extends CarrierLink {
  readonly state: LinkState;
  start(): void;
  /** What became of a message that a carrier has taken and not told of since. */
  ask(carrierId: string, from: string): Promise<CarrierReceipt | undefined>;
  close(): Promise<void>;
}

export interface LinkOrder {
  readonly carrier: string;
  readonly settings: LinkSettings;
  readonly secret: (name: string) => string | undefined;
  readonly log: Log;
  /** Tells the sessions of this run from those of others. */
  readonly run: string;
}

/** Messages of unknown outcome whose answer may still come. */
const UNSURE_MAX = 1_000;

export function openSmppLink({ carrier, settings, secret, log, run }: LinkOrder, news: LinkNews): OpenLink {
  let reference = Math.floor(Math.random() * 0x10000);
  const unsure = new Map<string, string>();
  const smpp = new SmppLink(
    settings,
    {
      receipt: (receipt) => news.receipt(toReceipt(carrier, receipt)),
      inbound: (part, connection) =>
        news.part({ carrier, link: settings.name, session: `${run} ${settings.name} ${connection}` }, part),
      lateAnswer(sid, outcome) {
        const accountSid = unsure.get(sid);
        if (accountSid === undefined) return;
        news.late({ accountSid, sid, carrier, link: settings.name, outcome: toOutcome(outcome) });
      },
      changed(state) {
        log.info({ link: settings.name, state: state.kind, reason: state.reason }, "link changed");
      },
      room: () => news.room(),
    },
    { log, now: () => Date.now(), elapsedMs: () => performance.now(), random: Math.random, secret },
  );
  return {
    name: settings.name,
    carrier,
    kind: "sms",
    get state() {
      return smpp.state;
    },
    start: () => smpp.start(),
    room: () => smpp.room(),
    submit(message, done) {
      reference = (reference + 1) & 0xffff;
      smpp.submit(
        {
          sid: message.sid,
          from: message.from,
          to: message.recipients[0] ?? "",
          text: message.text,
          validUntilMs: message.expiresOn.getTime(),
          reference,
        },
        (outcome) => {
          if (outcome.kind === "unknown") keepSome(unsure, message.sid, message.accountSid);
          done(toOutcome(outcome));
        },
      );
    },
    async ask(carrierId, from) {
      const answer = await smpp.query(carrierId, from);
      if (answer.kind === "unknown") return undefined;
      return { carrier, carrierId, state: answer.state, errorCode: answer.errorCode ?? null, receivedOn: new Date() };
    },
    close: () => smpp.close(),
  };
}

function toReceipt(carrier: string, receipt: LinkReceipt): CarrierReceipt {
  return {
    carrier,
    carrierId: receipt.carrierId,
    state: receipt.state,
    errorCode: receipt.errorCode ?? null,
    receivedOn: new Date(),
  };
}

function toOutcome(outcome: SmppOutcome): SubmitOutcome {
  switch (outcome.kind) {
    case "rejected":
      return {
        kind: "rejected",
        failure: failureOfStatus(outcome.status),
        reason: `The carrier answered ${outcome.statusName}`,
        carrierIds: outcome.carrierIds,
      };
    case "unknown": {
      const known = outcome.carrierIds.filter((id) => id !== null);
      // Receipts of some parts do not tell that the whole has arrived.
      return { ...outcome, carrierIds: known.length === outcome.carrierIds.length ? known : [] };
    }
    default:
      return outcome;
  }
}

function keepSome(unsure: Map<string, string>, sid: string, accountSid: string): void {
  unsure.set(sid, accountSid);
  for (const oldest of unsure.keys()) {
    if (unsure.size <= UNSURE_MAX) break;
    unsure.delete(oldest);
  }
}
