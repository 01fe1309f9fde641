// Sends the MMSC's response to an accepted message, and a delivery report for every recipient, when they are due. What
// the peer did not accept for now is sent again.

import { randomUUID } from "node:crypto";
import { backoffMs } from "../../base/backoff.ts";
import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import { formatPhoneAddress, systemAddress } from "../../wire/mm4/addresses.ts";
import type { ForwardRequest, Mm4Message, RequestStatus } from "../../wire/mm4/messages.ts";
import type { Conduct, ReportedStatus } from "./behaviour.ts";

export interface AcceptedMms {
  readonly request: ForwardRequest;
  readonly recipients: readonly string[];
  /** The timers of the scheduled reports. */
  readonly timers: Set<NodeJS.Timeout>;
}

export interface ResponsesDeps {
  /** The host in our addresses. */
  readonly name: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly reportDelayMs: number;
  readonly conductOf: (number: string) => Conduct;
  readonly send: (message: Mm4Message, from: string, to: string) => Promise<void>;
}

const RETRY = { msMin: 1_000, msMax: 60_000 };
const RETRIES_MAX = 10;

export class Responses {
  readonly #deps: ResponsesDeps;
  readonly #system: string;
  readonly #timers = new Set<NodeJS.Timeout>();

  constructor(deps: ResponsesDeps) {
    this.#deps = deps;
    this.#system = systemAddress(deps.name);
  }

  /** Sends the response right after SMTP's own answer, and the reports after their delay. */
  respond(accepted: AcceptedMms, status: RequestStatus, isReported: boolean): void {
    const { request, recipients, timers } = accepted;
    if (request.isAckRequested) this.#after(0, () => void this.#sendResponse(request, status));
    if (status !== "Ok" || !request.isReportRequested || !isReported) return;
    for (const recipient of recipients) {
      const { reportedStatus, reports } = this.#deps.conductOf(recipient);
      if (!reportedStatus) continue;
      for (let nth = 0; nth < reports; nth++) {
        const timer = this.#after(this.#deps.reportDelayMs, () => {
          timers.delete(timer);
          void this.#sendReport(request, recipient, reportedStatus);
        });
        timers.add(timer);
      }
    }
  }

  async reportNow({ request, recipients }: AcceptedMms, reportedStatus: ReportedStatus): Promise<void> {
    for (const recipient of recipients) await this.#sendReport(request, recipient, reportedStatus);
  }

  /** Replaces the scheduled reports by one that is sent now. */
  settle(accepted: AcceptedMms, reportedStatus: ReportedStatus): void {
    for (const timer of accepted.timers) {
      clearTimeout(timer);
      this.#timers.delete(timer);
    }
    accepted.timers.clear();
    void this.reportNow(accepted, reportedStatus);
  }

  wait(delayMs: number): Promise<void> {
    return new Promise((resolve) => this.#after(delayMs, resolve));
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }

  #sendResponse({ transactionId, messageId, originatorSystem }: ForwardRequest, status: RequestStatus): Promise<void> {
    return this.#send(originatorSystem, {
      kind: "response",
      answers: "forward",
      transactionId,
      messageId,
      sender: this.#system,
      recipient: originatorSystem,
      date: this.#deps.clock.now(),
      status,
      statusText: "",
    });
  }

  #sendReport({ messageId, from }: ForwardRequest, recipient: string, { status, text }: ReportedStatus): Promise<void> {
    return this.#send(from, {
      kind: "deliveryReport",
      transactionId: `"${randomUUID()}"`,
      messageId,
      from: formatPhoneAddress(recipient, this.#deps.name),
      to: from,
      originatorSystem: this.#system,
      isAckRequested: true,
      date: this.#deps.clock.now(),
      status,
      statusText: text,
    });
  }

  async #send(to: string, message: Mm4Message, failures = 0): Promise<void> {
    try {
      await this.#deps.send(message, this.#system, to);
    } catch (error) {
      const isFinal = isPermanent(error) || failures === RETRIES_MAX;
      this.#deps.log.warn(
        { error, messageId: message.messageId, isFinal },
        "the peer did not accept a mail of the MMSC",
      );
      if (!isFinal) this.#after(backoffMs(RETRY, failures + 1), () => void this.#send(to, message, failures + 1));
    }
  }

  #after(delayMs: number, act: () => void): NodeJS.Timeout {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      act();
    }, delayMs);
    this.#timers.add(timer);
    return timer;
  }
}

/** A reply of SMTP's class 5. */
function isPermanent(error: unknown): boolean {
  const { responseCode = 0 } = error as { readonly responseCode?: number };
  return responseCode >= 500;
}
