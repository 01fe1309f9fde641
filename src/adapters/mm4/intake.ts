// Handles the peer's mail: parses it, passes it to the listener, and answers by MM4 when the peer asks for it. Answers
// and reports go to the peer of the link only, whatever host the addresses in a message name.

import type { Clock } from "../../base/clock.ts";
import { forgetOldest } from "../../base/forget-oldest.ts";
import type { CarrierReceipt, LinkListener, RecipientsFinder } from "../../domain/messaging/index.ts";
import { formatPhoneAddress, phoneOf, systemAddress } from "../../wire/mm4/addresses.ts";
import { encodeMm4 } from "../../wire/mm4/encode.ts";
import {
  type DeliveryReport,
  type ForwardRequest,
  idOf,
  type Mm4Message,
  type MmStatus,
  type ReadReport,
  type Response,
} from "../../wire/mm4/messages.ts";
import { parseMm4 } from "../../wire/mm4/parse.ts";
import { MailRefusal, type ReceivedMail } from "./mm4-listener.ts";
import { memberIds } from "./outgoing.ts";
import type { Mail } from "./smtp-connection.ts";

export interface IntakeDeps {
  readonly clock: Clock;
  readonly carrier: string;
  readonly link: string;
  readonly listener: Pick<LinkListener, "mms" | "receipt">;
  readonly recipientsOf: RecipientsFinder;
  readonly ourHost: string;
  readonly carrierIdOf: (sid: string) => string;
  /** Called when the peer has answered whether it accepts a message of ours. */
  readonly responded: (sid: string, isAccepted: boolean) => void;
  readonly post: (mail: Mail, about: string) => void;
}

const RECEIPT_STATES: Readonly<Record<MmStatus, CarrierReceipt["state"]>> = {
  Retrieved: "delivered",
  Forwarded: "delivered",
  Expired: "expired",
  Rejected: "rejected",
  Unreachable: "failed",
  Unrecognised: "failed",
  Deferred: "enroute",
  Indeterminate: "unknown",
};

const ALIASES_MAX = 10_000;

export class Intake {
  readonly #deps: IntakeDeps;
  /** The peer's ids of our messages → ours. TS 23.140 has no such ids, but some peers use them in their reports. */
  readonly #aliases = new Map<string, string>();
  readonly #ourSystem: string;

  constructor(deps: IntakeDeps) {
    this.#deps = deps;
    this.#ourSystem = systemAddress(deps.ourHost);
  }

  async take({ recipients, bytes }: ReceivedMail): Promise<void> {
    const parsed = parseMm4(bytes);
    if (!parsed.ok) throw new MailRefusal(554, `5.6.0 Not accepted: ${parsed.refusal}`);
    const message = parsed.value;
    switch (message.kind) {
      case "forward":
        return await this.#takeForward(message, recipients);
      case "deliveryReport":
        return await this.#takeReport(message);
      case "readReport":
        // We never ask for read reports. An unanswered one would be repeated.
        return this.#answer(message, "readReport");
      case "response":
        return await this.#takeResponse(message);
    }
  }

  async #takeForward(message: ForwardRequest, addresses: readonly string[]): Promise<void> {
    const from = phoneOf(message.from);
    if (from === undefined) throw new MailRefusal(553, "5.1.7 The sender is not a phone number");
    const recipients = addresses.flatMap((address) => phoneOf(address) ?? []);
    if (recipients.length === 0) throw new MailRefusal(553, "5.1.3 The recipients are not phone numbers");
    const { subject, text, media } = message;
    const { carrier, link, listener } = this.#deps;
    const verdict = await listener.mms({
      carrier,
      link,
      messageId: idOf(message.messageId),
      from,
      recipients,
      to: message.to.flatMap((address) => phoneOf(address) ?? []),
      subject,
      text,
      media,
    });
    if (verdict === "unknownRecipient") throw new MailRefusal(550, "5.1.1 No such number here");
    this.#answer(message, "forward");
    if (!message.isReportRequested) return;
    for (const recipient of recipients) this.#report(message, recipient);
  }

  async #takeReport(message: DeliveryReport): Promise<void> {
    const messageId = idOf(message.messageId);
    const carrierId = this.#aliases.get(messageId) ?? messageId;
    const { status } = message;
    await this.#reportReceipt({ carrierId, state: RECEIPT_STATES[status], errorCode: status }, phoneOf(message.from));
    this.#answer(message, "deliveryReport");
  }

  async #takeResponse({ answers, transactionId, messageId, status }: Response): Promise<void> {
    if (answers !== "forward") return;
    // The transaction id is ours and names the message, whatever message id the peer uses.
    const sid = idOf(transactionId);
    const carrierId = this.#deps.carrierIdOf(sid);
    this.#deps.responded(sid, status === "Ok");
    if (status === "Ok") {
      if (idOf(messageId) !== carrierId) this.#aliases.set(idOf(messageId), carrierId);
      forgetOldest(this.#aliases, ALIASES_MAX);
      return;
    }
    await this.#reportReceipt({ carrierId, state: "rejected", errorCode: status });
  }

  /** A receipt that names no recipient counts for every member of the group. */
  async #reportReceipt(
    receipt: Pick<CarrierReceipt, "carrierId" | "state" | "errorCode">,
    recipient?: string,
  ): Promise<void> {
    const { carrier, recipientsOf, listener, clock } = this.#deps;
    const group = await recipientsOf(carrier, receipt.carrierId);
    const about = recipient === undefined ? group : group.filter((number) => number === recipient);
    const ids = group.length > 1 ? memberIds(receipt.carrierId, group, about) : [receipt.carrierId];
    // By our clock: the peer's may be wrong.
    for (const carrierId of ids) await listener.receipt({ ...receipt, carrier, carrierId, receivedOn: clock.now() });
  }

  #answer(request: ForwardRequest | DeliveryReport | ReadReport, answers: Response["answers"]): void {
    const { transactionId, messageId, originatorSystem, isAckRequested } = request;
    if (!isAckRequested) return;
    this.#post(originatorSystem, {
      kind: "response",
      answers,
      transactionId,
      messageId,
      sender: this.#ourSystem,
      recipient: originatorSystem,
      date: this.#deps.clock.now(),
      status: "Ok",
      statusText: "",
    });
  }

  #report({ messageId, transactionId, from, originatorSystem }: ForwardRequest, recipient: string): void {
    this.#post(originatorSystem, {
      kind: "deliveryReport",
      transactionId: `"${idOf(transactionId).replaceAll(/["\\]/g, "")}-${recipient}"`,
      messageId,
      from: formatPhoneAddress(recipient, this.#deps.ourHost),
      to: from,
      originatorSystem: this.#ourSystem,
      isAckRequested: false,
      date: this.#deps.clock.now(),
      status: "Retrieved",
      statusText: "",
    });
  }

  #post(recipient: string, message: Mm4Message): void {
    this.#deps.post({ from: this.#ourSystem, to: [recipient], bytes: encodeMm4(message) }, message.messageId);
  }
}
