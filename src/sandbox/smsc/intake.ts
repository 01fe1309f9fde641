// Handles the requests of ESMEs (submit, query, cancel): answers according to the recipient's number and schedules the
// receipts.
//
// Guarantees: an accepted message is in the store before its answer is sent. An automatic receipt is sent once (or as
// often as the behaviour specifies), and never after the message was settled by hand or cancelled. A submit whose
// receipt would not fit into the queue is refused (ESME_RMSGQFUL).

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
import { type Behaviour, behaviourOf, type Conduct, conductOf, type FinalState } from "./behaviour.ts";
import { DelayQueue } from "./delay-queue.ts";
import type { Deliveries, Delivery } from "./deliveries.ts";
import type { Link } from "./link.ts";
import type { MessageStore } from "./message-store.ts";
import { newSubmission, receiptOf, type Submission, settleSubmission, wantsReceipt } from "./submission.ts";

export interface IntakeSettings {
  readonly receipts: boolean;
  readonly receiptDelayMs: number;
  readonly slowAnswerMs: number;
  /** Bounds scheduled receipts and pending deliveries together. */
  readonly waitingMax: number;
}

interface IntakeNeeds {
  readonly store: MessageStore | undefined;
  readonly deliveries: Deliveries;
  readonly counts: { submits: number; receipts: number };
  readonly clock: Clock;
  readonly log: Log;
}

/** The final state that a submission will reach after the receipt delay. */
interface PendingResult {
  readonly submission: Submission;
  readonly finalState: FinalState;
  readonly receipts: number;
}

type Message = SubmitSm | DataSm;

export class Intake {
  readonly #settings: IntakeSettings;
  readonly #needs: IntakeNeeds;
  readonly #delayed: DelayQueue<PendingResult>;
  readonly #behaviours = new Map<string, Behaviour>();
  /** Attempts per number that refuses at first. Bounded by the number of such numbers. */
  readonly #tries = new Map<string, number>();
  readonly #slowAnswers = new Set<NodeJS.Timeout>();
  /** Makes message ids unique over all SMSCs and restarts. */
  readonly #idPrefix = randomBytes(5).toString("hex");
  #nextId = 1;

  constructor(needs: IntakeNeeds, settings: IntakeSettings) {
    this.#needs = needs;
    this.#settings = settings;
    this.#delayed = new DelayQueue(settings.receiptDelayMs, (due) => this.#complete(due));
  }

  get isFull(): boolean {
    return this.#delayed.length + this.#needs.deliveries.held >= this.#settings.waitingMax;
  }

  behave(number: string, behaviour: Behaviour | undefined): void {
    if (behaviour) this.#behaviours.set(digitsOf(number), behaviour);
    else this.#behaviours.delete(digitsOf(number));
  }

  settle(messageId: string, finalState: FinalState): boolean {
    const submission = this.#needs.store?.find(messageId);
    if (!submission || !wantsReceipt(submission, finalState.state)) return false;
    this.#finish(submission, finalState);
    this.#needs.deliveries.add([this.#receipt(submission)]);
    return true;
  }

  close(): void {
    this.#delayed.close();
    for (const timer of this.#slowAnswers) clearTimeout(timer);
  }

  requested(link: Link, requests: readonly SessionRequest[]): void {
    const answers: SessionResponse[] = [];
    const pending: PendingResult[] = [];
    for (const request of requests) {
      const answer = this.#answer(link, request, pending);
      if (answer === "cut") {
        link.answer(answers.splice(0));
        link.cut();
        break;
      }
      if (answer) answers.push(answer);
    }
    link.answer(answers);
    this.#schedule(pending);
  }

  /** Undefined when the answer is sent later or never. */
  #answer(link: Link, request: SessionRequest, pending: PendingResult[]): SessionResponse | "cut" | undefined {
    switch (request.command) {
      case "submit_sm":
      case "data_sm":
        return this.#submit(link, request, pending);
      case "query_sm":
        return this.#query(link, request);
      case "cancel_sm":
        return this.#cancel(link, request);
      case "deliver_sm":
        return { command: "deliver_sm_resp", ...refusal(request.sequence, STATUS.ESME_RINVCMDID) };
    }
  }

  #submit(link: Link, pdu: Message, pending: PendingResult[]): SessionResponse | "cut" | undefined {
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
    const result = conduct.finalState && { submission, finalState: conduct.finalState, receipts: conduct.receipts };
    const accepted = answerTo(pdu, STATUS.ESME_ROK, submission.messageId);
    if (answer.kind === "acceptSlowly") {
      this.#later(() => {
        link.answer([accepted]);
        if (result) this.#schedule([result]);
      });
      return undefined;
    }
    if (answer.kind === "acceptAfterReceipt" && result) this.#complete([result]);
    else if (result) pending.push(result);
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
    return this.#needs.store?.add(pdu, about) ?? newSubmission(pdu, { ...about, text: "" });
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

  #schedule(pending: readonly PendingResult[]): void {
    // Without a store, only receipts show the final state of a message.
    const kept = this.#needs.store ? pending : pending.filter(({ submission }) => this.#asksReceipt(submission));
    if (this.#settings.receiptDelayMs === 0) this.#complete(kept);
    else for (const one of kept) this.#delayed.push(one);
  }

  #complete(pending: readonly PendingResult[]): void {
    const receipts: Delivery[] = [];
    for (const { submission, finalState, receipts: count } of pending) {
      if (submission.state !== "enroute") continue;
      this.#finish(submission, finalState);
      if (!this.#settings.receipts || !wantsReceipt(submission, finalState.state)) continue;
      for (let sent = 0; sent < count; sent++) receipts.push(this.#receipt(submission));
    }
    if (receipts.length > 0) this.#needs.deliveries.add(receipts);
  }

  #finish(submission: Submission, finalState: FinalState): void {
    settleSubmission(submission, finalState, this.#needs.clock.now());
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

  /** 4.9: only a message without a final state can be cancelled. Its receipt reports that it was deleted. */
  #cancel(link: Link, { sequence, messageId, source }: CancelSm): SessionResponse {
    const submission = this.#find(link, messageId, source.address);
    const isOpen = submission?.state === "enroute";
    const status = isOpen ? STATUS.ESME_ROK : submission ? STATUS.ESME_RCANCELFAIL : STATUS.ESME_RINVMSGID;
    if (isOpen) this.#complete([{ submission, finalState: CANCELLED, receipts: 1 }]);
    return { command: "cancel_sm_resp", sequence, status };
  }

  /** An ESME sees only its own messages, by their sender. */
  #find(link: Link, messageId: string, source: string): Submission | undefined {
    const submission = this.#needs.store?.find(messageId);
    if (submission?.systemId !== link.systemId) return undefined;
    return source === "" || digitsOf(source) === digitsOf(submission.source.address) ? submission : undefined;
  }
}

const CANCELLED: FinalState = { state: "deleted", errorCode: 0 };

function refusal(sequence: number, status: number) {
  return { sequence, status, messageId: "", tlvs: NO_TLVS } as const;
}

function answerTo({ command, sequence }: Message, status: number, messageId = ""): SessionResponse {
  return { command: `${command}_resp`, sequence, status, messageId, tlvs: NO_TLVS };
}
