// What ESMEs ask for: submit, query, cancel. Answers as the recipient's number says and sees to it that the receipts follow.
//
// Guarantees: an accepted message is in the ledger before its answer goes out; an automatic receipt comes once (or as often as the behaviour says)
// and not at all once the message was settled by hand or cancelled; a submit whose receipt could not be kept waiting is refused
// (ESME_RMSGQFUL), not forgotten.

import { randomBytes } from "node:crypto";
import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import type { CancelSm, DataSm, QuerySm, SubmitSm } from "../../wire/smpp/pdu.ts";
import { MESSAGE_STATE } from "../../wire/smpp/receipt.ts";
import type { SessionRequest, SessionResponse } from "../../wire/smpp/session-state.ts";
import { formatSmppTime } from "../../wire/smpp/smpp-time.ts";
import { STATUS } from "../../wire/smpp/statuses.ts";
import { NO_TLVS } from "../../wire/smpp/tlv.ts";
import { digitsOf, numberOf } from "./address.ts";
import { type Behaviour, behaviourOf, type Conduct, conductOf, type Fate } from "./behaviour.ts";
import { DelayLine } from "./delay-line.ts";
import type { Deliveries, Delivery } from "./deliveries.ts";
import type { Ledger } from "./ledger.ts";
import type { Link } from "./link.ts";
import { newSubmission, receiptOf, type Submission, settleSubmission, wantsReceipt } from "./submission.ts";

export interface IntakeSettings {
  readonly receipts: boolean;
  readonly receiptDelayMs: number;
  readonly slowAnswerMs: number;
  /** Receipts to come and deliveries to make. */
  readonly waitingMax: number;
}

interface IntakeNeeds {
  readonly ledger: Ledger | undefined;
  readonly deliveries: Deliveries;
  readonly counts: { submits: number; receipts: number };
  readonly clock: Clock;
  readonly log: Log;
}

/** A fate that has yet to come true. */
interface Promised {
  readonly submission: Submission;
  readonly fate: Fate;
  readonly receipts: number;
}

type Message = SubmitSm | DataSm;

export class Intake {
  readonly #settings: IntakeSettings;
  readonly #needs: IntakeNeeds;
  readonly #line: DelayLine<Promised>;
  readonly #behaviours = new Map<string, Behaviour>();
  /** How often each number that refuses at first has been tried. As many as there are such numbers. */
  readonly #tries = new Map<string, number>();
  readonly #slowAnswers = new Set<NodeJS.Timeout>();
  /** No two SMSCs give the same message id, not even one before and one after a restart. */
  readonly #idPrefix = randomBytes(5).toString("hex");
  #nextId = 1;

  constructor(needs: IntakeNeeds, settings: IntakeSettings) {
    this.#needs = needs;
    this.#settings = settings;
    this.#line = new DelayLine(settings.receiptDelayMs, (due) => this.#comeTrue(due));
  }

  get isFull(): boolean {
    return this.#line.length + this.#needs.deliveries.held >= this.#settings.waitingMax;
  }

  behave(number: string, behaviour: Behaviour | undefined): void {
    if (behaviour) this.#behaviours.set(digitsOf(number), behaviour);
    else this.#behaviours.delete(digitsOf(number));
  }

  settle(messageId: string, fate: Fate): boolean {
    const submission = this.#needs.ledger?.find(messageId);
    if (!submission || !wantsReceipt(submission, fate.state)) return false;
    this.#finish(submission, fate);
    this.#needs.deliveries.add([this.#receipt(submission)]);
    return true;
  }

  close(): void {
    this.#line.close();
    for (const timer of this.#slowAnswers) clearTimeout(timer);
  }

  requested(link: Link, requests: readonly SessionRequest[]): void {
    const answers: SessionResponse[] = [];
    const promised: Promised[] = [];
    for (const request of requests) {
      const answer = this.#answer(link, request, promised);
      if (answer === "cut") {
        link.answer(answers.splice(0));
        link.cut();
        break;
      }
      if (answer) answers.push(answer);
    }
    link.answer(answers);
    this.#promise(promised);
  }

  /** Nothing when the answer comes later, or never. */
  #answer(link: Link, request: SessionRequest, promised: Promised[]): SessionResponse | "cut" | undefined {
    switch (request.command) {
      case "submit_sm":
      case "data_sm":
        return this.#submit(link, request, promised);
      case "query_sm":
        return this.#query(link, request);
      case "cancel_sm":
        return this.#cancel(link, request);
      case "replace_sm":
        return { command: "replace_sm_resp", sequence: request.sequence, status: STATUS.ESME_RREPLACEFAIL };
      case "deliver_sm":
        return { command: "deliver_sm_resp", ...refusal(request.sequence, STATUS.ESME_RINVCMDID) };
    }
  }

  #submit(link: Link, pdu: Message, promised: Promised[]): SessionResponse | "cut" | undefined {
    const number = numberOf(pdu.destination);
    if (!/^\+?\d{3,20}$/.test(number)) return answerTo(pdu, STATUS.ESME_RINVDSTADR);
    const conduct = this.#conductOf(number);
    const { answer } = conduct;
    if (answer.kind === "refuse") return answerTo(pdu, answer.status);
    if (answer.kind === "keepSilent") return undefined;
    if (answer.kind === "cut" && !answer.isTaken) return "cut";
    if (answer.kind === "refuseAtFirst" && this.#isTooEarly(number, answer.times)) return answerTo(pdu, answer.status);
    if (this.#asksReceipt(pdu) && this.isFull) return answerTo(pdu, STATUS.ESME_RMSGQFUL);
    const submission = this.#take(link, pdu);
    const promise = conduct.fate && { submission, fate: conduct.fate, receipts: conduct.receipts };
    const accepted = answerTo(pdu, STATUS.ESME_ROK, submission.messageId);
    if (answer.kind === "acceptSlowly") {
      this.#later(() => {
        link.answer([accepted]);
        if (promise) this.#promise([promise]);
      });
      return undefined;
    }
    if (answer.kind === "acceptAfterReceipt" && promise) this.#comeTrue([promise]);
    else if (promise) promised.push(promise);
    return answer.kind === "cut" ? "cut" : accepted;
  }

  #conductOf(number: string): Conduct {
    const given = this.#behaviours.size > 0 ? this.#behaviours.get(digitsOf(number)) : undefined;
    return conductOf(given ?? behaviourOf(number));
  }

  #isTooEarly(number: string, times: number): boolean {
    const tries = this.#tries.get(number) ?? 0;
    this.#tries.set(number, (tries + 1) % (times + 1));
    return tries < times;
  }

  #take({ systemId }: Link, pdu: Message): Submission {
    this.#needs.counts.submits += 1;
    const about = { messageId: `${this.#idPrefix}-${this.#nextId++}`, systemId, now: this.#needs.clock.now() };
    return this.#needs.ledger?.enter(pdu, about) ?? newSubmission(pdu, { ...about, text: "" });
  }

  #later(act: () => void): void {
    const timer = setTimeout(() => {
      this.#slowAnswers.delete(timer);
      act();
    }, this.#settings.slowAnswerMs);
    this.#slowAnswers.add(timer);
  }

  #asksReceipt(pdu: Pick<Message, "registeredDelivery">): boolean {
    return this.#settings.receipts && (pdu.registeredDelivery & 0x03) !== 0;
  }

  #promise(promised: readonly Promised[]): void {
    // Without a ledger nobody can ask what became of a message.
    const kept = this.#needs.ledger ? promised : promised.filter(({ submission }) => this.#asksReceipt(submission));
    if (this.#settings.receiptDelayMs === 0) this.#comeTrue(kept);
    else for (const one of kept) this.#line.push(one);
  }

  #comeTrue(promised: readonly Promised[]): void {
    const receipts: Delivery[] = [];
    for (const { submission, fate, receipts: count } of promised) {
      if (submission.state !== "enroute") continue;
      this.#finish(submission, fate);
      if (!this.#settings.receipts || !wantsReceipt(submission, fate.state)) continue;
      for (let sent = 0; sent < count; sent++) receipts.push(this.#receipt(submission));
    }
    if (receipts.length > 0) this.#needs.deliveries.add(receipts);
  }

  #finish(submission: Submission, fate: Fate): void {
    settleSubmission(submission, fate, this.#needs.clock.now());
  }

  #receipt(submission: Submission): Delivery {
    const { messageId, systemId } = submission;
    const onEnd = (failure: string | undefined) => {
      if (failure === undefined) this.#needs.counts.receipts += 1;
      else this.#needs.log.warn({ messageId, failure }, "delivery receipt given up");
    };
    return { systemId, pdu: receiptOf(submission), onEnd };
  }

  #query(link: Link, { sequence, messageId, source }: QuerySm): SessionResponse {
    const submission = this.#find(link, messageId, source.address);
    const status = submission ? STATUS.ESME_ROK : STATUS.ESME_RQUERYFAIL;
    const finalDate = submission?.doneAt ? formatSmppTime(submission.doneAt) : "";
    const messageState = submission ? MESSAGE_STATE.indexOf(submission.state) : 0;
    const errorCode = submission?.errorCode ?? 0;
    const id = submission ? messageId : "";
    return { command: "query_sm_resp", sequence, status, messageId: id, finalDate, messageState, errorCode };
  }

  /** 4.9: only what has not reached its end. The receipt that was asked for says it was deleted. */
  #cancel(link: Link, { sequence, messageId, source }: CancelSm): SessionResponse {
    const submission = this.#find(link, messageId, source.address);
    const isOpen = submission?.state === "enroute";
    const status = isOpen ? STATUS.ESME_ROK : submission ? STATUS.ESME_RCANCELFAIL : STATUS.ESME_RINVMSGID;
    if (isOpen) this.#comeTrue([{ submission, fate: CANCELLED, receipts: 1 }]);
    return { command: "cancel_sm_resp", sequence, status };
  }

  /** An ESME sees its own, by the sender they came from. */
  #find(link: Link, messageId: string, source: string): Submission | undefined {
    const submission = this.#needs.ledger?.find(messageId);
    if (submission?.systemId !== link.systemId) return undefined;
    return source === "" || digitsOf(source) === digitsOf(submission.source.address) ? submission : undefined;
  }
}

const CANCELLED: Fate = { state: "deleted", errorCode: 0 };

function refusal(sequence: number, status: number) {
  return { sequence, status, messageId: "", tlvs: NO_TLVS } as const;
}

function answerTo({ command, sequence }: Message, status: number, messageId = ""): SessionResponse {
  return { command: `${command}_resp`, sequence, status, messageId, tlvs: NO_TLVS };
}
