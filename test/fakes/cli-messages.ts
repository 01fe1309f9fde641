// Messages of a server that implements Idempotency-Keys correctly, and loses responses on request. For tests.

import {
  type Answer,
  type MessageOrder,
  type Messages,
  type OutboundMessage,
  type TandemClient,
  TandemError,
  TandemNetworkError,
} from "../../sdk/src/index.ts";

interface Refusal {
  readonly errorCode: number;
  readonly code: string;
  readonly message: string;
}

const KEPT_MS = 24 * 3_600_000;

export class PretendMessages {
  readonly sent: OutboundMessage[] = [];
  refuse: (message: MessageOrder) => Refusal | undefined = () => undefined;
  /** From this request on, counted from 1, requests are carried out but not answered. */
  loseAnswerTo: number | undefined;
  isEveryKeyReused = false;
  failure: { readonly status: number; readonly code: string } | undefined;
  readonly #kept = new Map<string, { readonly atMs: number; readonly answer: OutboundMessage | TandemError }>();
  readonly #nowMs: () => number;
  #requests = 0;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  get client(): Pick<TandemClient, "messages"> {
    const { list, rehearse, send } = this;
    const unknown = () => {
      throw new Error("not pretended");
    };
    const messages: Messages = {
      list,
      rehearse,
      send,
      get: unknown,
      cancel: unknown,
      why: unknown,
      inbound: { list: unknown, get: unknown },
    };
    return { messages };
  }

  readonly send: Messages["send"] = async (message, { idempotencyKey = "" } = {}) => {
    await Promise.resolve();
    if (this.failure) throw new TandemError(this.failure.status, new Headers(), this.failure);
    this.#requests += 1;
    const isLost = this.loseAnswerTo !== undefined && this.#requests >= this.loseAnswerTo;
    const answer = this.#answerOnce(message, idempotencyKey);
    if (isLost) throw new TandemNetworkError("unreachable", "the connection broke");
    if (answer instanceof TandemError) throw answer;
    return answerOf(answer);
  };

  readonly rehearse: Messages["rehearse"] = async (message) => {
    const refusal = this.refuse(message);
    return answerOf({
      wouldSend: !refusal,
      segmentCount: 1,
      encoding: "GSM7",
      recipients: [],
      refusals: refusal ? [{ ...refusal, field: "To" }] : [],
    });
  };

  readonly list: Messages["list"] = ({ createdOnFrom = "", to } = {}) => {
    const items = this.sent.filter((message) => message.to === to && message.createdOn >= createdOnFrom);
    return Object.assign(Promise.resolve(answerOf({ items })), {
      async *pages() {
        yield answerOf({ items });
      },
      async *[Symbol.asyncIterator]() {
        yield* items;
      },
    });
  };

  #answerOnce(message: MessageOrder, key: string): OutboundMessage | TandemError {
    const kept = this.#kept.get(key);
    if (kept && this.#nowMs() - kept.atMs < KEPT_MS) {
      return this.isEveryKeyReused ? refusalOf(422, { code: "idempotency-key-reused" }) : kept.answer;
    }
    const refusal = this.refuse(message);
    const answer = refusal ? refusalOf(400, { ...refusal, errors: { To: [refusal.message] } }) : this.#accept(message);
    if (!refusal) this.#kept.set(key, { atMs: this.#nowMs(), answer });
    return answer;
  }

  #accept(order: MessageOrder): OutboundMessage {
    const to = order.to ?? "";
    const createdOn = new Date(this.#nowMs()).toISOString();
    const message: OutboundMessage = {
      sid: `OM${this.sent.length + 1}`,
      from: order.from,
      to,
      recipients: [to],
      text: order.text ?? "",
      mediaUrls: [],
      status: "Queued",
      statusReason: null,
      segmentCount: 1,
      encoding: "GSM7",
      carrier: null,
      messagingConfigSid: null,
      tcrCampaignId: null,
      priority: "Normal",
      errorCode: 0,
      errorDescription: null,
      createdOn,
      sendAt: order.sendAt ?? null,
      sentOn: null,
      deliveredOn: null,
      expiresOn: createdOn,
    };
    this.sent.push(message);
    return message;
  }
}

function answerOf<Data>(data: Data): Answer<Data> {
  return { data, status: 200, requestId: undefined, rateLimit: undefined };
}

function refusalOf(status: number, body: object): TandemError {
  return new TandemError(status, new Headers(), body);
}
