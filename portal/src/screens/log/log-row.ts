// One row of the log, made from an event or a request: what it is, its text, whom it concerns, how it ended, and which
// rows it belongs to.

import type { AccountEvent, LiveEntry, RefusedRequest, SmppPduEntry } from "@tandem/sdk";
import { isPlainRead } from "../../api/live.ts";
import type { IconName } from "../../components/icon.tsx";
import { tableOf } from "../../components/lookup-table.ts";
import type { ShapeName, Tone } from "../../components/shape.tsx";
import { failureWord, markOf, messageStatus, type StatusKind } from "../../components/status.tsx";
import { refusalId } from "./refused-requests.ts";

export interface LogRow {
  readonly id: string;
  readonly at: string;
  readonly kind: string;
  readonly icon: IconName;
  readonly what: string;
  /** Protocol words and operations. */
  readonly isMono: boolean;
  /** A number or a SIP address. */
  readonly who?: string | undefined;
  readonly shape: ShapeName;
  readonly tone: Tone;
  readonly result: string;
  readonly tookMs?: number | undefined;
  /** Rows that belong together have the same value: a sid, or a trace id. */
  readonly trace: string;
  readonly requestId?: string;
  /** For operators: its account, if it has one. */
  readonly accountSid?: string | undefined;
  /** The connection broke before it and was resumed. */
  readonly isAfterGap?: boolean;
  /** Shown only where requests are asked for: programs read so often that it would hide the rest. */
  readonly isQuiet?: boolean;
  readonly raw: unknown;
}

export const KINDS = tableOf<IconName>({
  API: "api",
  SMPP: "links",
  SIP: "sip",
  Message: "message",
  Call: "call",
  Number: "number",
  Campaign: "campaign",
  Port: "port",
  Event: "event",
});

type Payload = Readonly<Record<string, unknown>>;
type Described = Pick<LogRow, "kind" | "what" | "who" | "shape" | "tone" | "result">;

const ownerIn = (record: object): string | undefined =>
  "accountSid" in record && typeof record.accountSid === "string" ? record.accountSid : undefined;

const said = (value: unknown): string => (value === null || value === undefined ? "" : String(value));

function describe(
  kind: string,
  what: string,
  who: unknown,
  statusKind: StatusKind,
  status: string,
  word?: string,
): Described {
  const { shape, tone, word: usual } = markOf(statusKind, status);
  return { kind, what, who: said(who) || undefined, shape, tone, result: word ?? usual };
}

const moved = (payload: Payload) => `${said(payload.PreviousStatus) || "New"} to ${said(payload.Status)}`;

/** One reader for each type of event. */
const READERS = tableOf<(payload: Payload) => Described>({
  OutboundMessageStatusChanged: (payload) => {
    const errorCode = Number(payload.ErrorCode);
    const status = messageStatus({ status: said(payload.Status), errorCode });
    const code = errorCode === 0 ? "" : `, ${errorCode}`;
    return describe("Message", `${moved(payload)}${code}`, payload.To, "message", status, failureWord(errorCode));
  },
  InboundMessageReceived: (payload) =>
    describe("Message", `Received: ${said(payload.Text) || "media"}`, payload.From, "message", "Received"),
  OptOutChanged: (payload) =>
    describe(
      "Message",
      `${said(payload.Change)} by ${said(payload.Keyword) || "hand"}`,
      payload.Number,
      "message",
      "Canceled",
      said(payload.Change),
    ),
  InboundCallReceivedWebhook: (payload) => describe("Call", "Inbound call", payload.From, "call", "Ringing"),
  CallStatusChangedWebhook: (payload) => {
    const end = said(payload.EndReason) || said(payload.Status);
    const leg = said(payload.Leg) === "Second" ? "Second leg" : "First leg";
    return describe("Call", `${leg} ${said(payload.Status).toLowerCase()}`, payload.To, "call", end);
  },
  CallRecordingCompleted: (payload) =>
    describe("Call", `Recording of ${said(payload.DurationSeconds)} s`, undefined, "recording", "Completed"),
  CallStreamStatusChanged: (payload) => {
    const name = said(payload.StreamName);
    return describe("Call", name === "" ? "Stream" : `Stream ${name}`, undefined, "stream", said(payload.Status));
  },
  ConferenceChanged: (payload) =>
    describe("Call", `Conference ${said(payload.Name)}`, undefined, "call", "Answered", said(payload.Event)),
  PhoneNumberStatusChanged: (payload) =>
    describe("Number", moved(payload), payload.Number, "number", said(payload.Status)),
  TcrCampaignImported: (payload) =>
    describe(
      "Campaign",
      `${said(payload.TcrCampaignId)} imported`,
      undefined,
      "message",
      "Received",
      said(payload.LinkOutcome),
    ),
  TcrCampaignStatusChanged: (payload) =>
    describe(
      "Campaign",
      `${said(payload.TcrCampaignId)} ${moved(payload)}`,
      undefined,
      "campaign",
      said(payload.Status),
    ),
  PortOrderStatusChanged: (payload) => describe("Port", moved(payload), undefined, "portOrder", said(payload.Status)),
});

export function rowOfEvent(event: AccountEvent, isAfterGap: boolean): LogRow {
  const payload = event.payload as Payload;
  const read =
    READERS.get(event.type) ?? (() => describe("Event", event.type, undefined, "message", "Received", "Stored"));
  const row = read(payload);
  return {
    ...row,
    id: event.id,
    at: event.createdOn,
    icon: KINDS.get(row.kind) ?? "event",
    isMono: false,
    trace: event.resourceSid,
    accountSid: ownerIn(event),
    isAfterGap,
    raw: event,
  };
}

export function rowOfRequest(request: RefusedRequest): LogRow {
  return {
    id: refusalId(request),
    at: request.createdOn,
    kind: "API",
    icon: "api",
    what: request.operation ?? "no operation of the API",
    isMono: true,
    shape: "failed",
    tone: "bad",
    result: `${request.status}, ${request.code}`,
    trace: request.traceId,
    requestId: request.requestId,
    accountSid: ownerIn(request),
    raw: request,
  };
}

type Wire = Pick<LogRow, "kind" | "what" | "who" | "shape" | "tone" | "result" | "tookMs" | "trace" | "requestId">;

interface Submitted {
  readonly who: string | undefined;
  readonly at: string;
}

/** By the sid of the message: the response to a submit_sm has neither the recipient nor the time it took. */
const submittedOf = new Map<string, Submitted>();
const SUBMITTED_MAX = 5000;

function remember(messageSid: string, submitted: Submitted): void {
  if (submittedOf.size >= SUBMITTED_MAX) submittedOf.clear();
  submittedOf.set(messageSid, submitted);
}

const smppFine = (isEnd: boolean): Pick<Wire, "shape" | "tone"> =>
  isEnd ? { shape: "delivered", tone: "ok" } : { shape: "done", tone: "neutral" };
const smppTrouble = (isEnd: boolean): Pick<Wire, "shape" | "tone"> =>
  isEnd ? { shape: "failed", tone: "bad" } : { shape: "retry", tone: "warn" };

/** `delivered`, `rejected 070`. */
const receiptWords = ({ state, errorCode }: NonNullable<SmppPduEntry["receipt"]>) =>
  errorCode === null || /^0*$/.test(errorCode) ? state : `${state} ${errorCode}`;

/** A receipt shows how the message ended; every other PDU shows whether it was accepted. */
function readSmpp(data: SmppPduEntry): Wire {
  const { receipt, statusName } = data;
  const who = data.party ?? undefined;
  const isWell = data.status === 0 && (receipt === null || /^(delivered|accepted|enroute)$/.test(receipt.state));
  const isAnswer = data.command === "submit_sm_resp";
  const submitted = submittedOf.get(data.messageSid ?? "");
  if (data.command === "submit_sm" && data.messageSid !== null) remember(data.messageSid, { who, at: data.at });
  return {
    kind: "SMPP",
    what: `${data.command}${receipt === null ? "" : " receipt"}, ${data.link}`,
    who: who ?? submitted?.who,
    ...(isWell ? smppFine(isAnswer || receipt !== null) : smppTrouble(receipt !== null)),
    result: receipt
      ? receiptWords(receipt)
      : isAnswer || data.status !== 0
        ? statusName
        : data.direction === "Sent"
          ? "Sent"
          : "Taken",
    tookMs: isAnswer && submitted ? Date.parse(data.at) - Date.parse(submitted.at) : undefined,
    trace: data.messageSid ?? `${data.link} ${data.sequence}`,
  };
}

function readWire({ type, data }: LiveEntry): Wire {
  if (type === "ApiRequest") {
    const isWell = data.status < 400;
    return {
      kind: "API",
      what: `${data.method} ${data.path.replace(/^\/(messaging\/)?v1\//, "")}`,
      ...(isWell ? { shape: "delivered", tone: "ok" } : { shape: "failed", tone: "bad" }),
      result: data.code === null ? String(data.status) : `${data.status}, ${data.code}`,
      tookMs: data.ms,
      trace: data.resourceSid ?? data.traceId ?? data.requestId,
      requestId: data.requestId,
    };
  }
  if (type === "SmppPdu") return readSmpp(data);
  const [first = ""] = data.text.split("\r\n", 1);
  return {
    kind: "SIP",
    what: first.replace(/ ?SIP\/2\.0 ?/, ""),
    ...(/^SIP\/2\.0 [4-6]/.test(first) ? { shape: "failed", tone: "bad" } : { shape: "done", tone: "neutral" }),
    result: data.direction,
    trace: data.callSid,
  };
}

export function rowOfWire(id: string, shown: LiveEntry): LogRow {
  const row = readWire(shown);
  return {
    ...row,
    id,
    at: shown.data.at,
    icon: KINDS.get(row.kind) ?? "event",
    isMono: true,
    accountSid: ownerIn(shown.data),
    isQuiet: isPlainRead(shown),
    raw: shown,
  };
}

export interface EntryPage {
  readonly to: string;
  readonly verb: string;
}

/** The page of a row's subject, for an account and for operators. */
export function pageOf({ trace, who, kind, accountSid }: LogRow, isOperator: boolean): EntryPage | undefined {
  if (isOperator) return operatorPageOf(trace, accountSid);
  if (/^(OM|IM)/.test(trace)) return { to: `/messages/${trace}`, verb: "Open the message" };
  if (trace.startsWith("CA")) return { to: `/calls/${trace}`, verb: "Open the call" };
  if (trace.startsWith("CF")) return { to: `/conferences/${trace}`, verb: "Open the conference" };
  if (trace.startsWith("WS")) return { to: `/webhooks/${trace}`, verb: "Open the webhook" };
  if (kind === "Number" && who) return { to: `/numbers/${who}`, verb: "Open the number" };
  if (kind === "Campaign") return { to: "/campaigns", verb: "Open the campaigns" };
  return undefined;
}

function operatorPageOf(trace: string, accountSid: string | undefined): EntryPage | undefined {
  if (trace.startsWith("PO")) return { to: `/operator/ports/${trace}`, verb: "Open the port order" };
  if (accountSid === undefined) return undefined;
  const account = `/operator/accounts/${accountSid}`;
  if (trace.startsWith("OM")) return { to: `${account}?tab=messages&sel=${trace}`, verb: "Open the message" };
  if (trace.startsWith("CA")) return { to: `${account}?tab=calls&sel=${trace}`, verb: "Open the call" };
  return { to: account, verb: "Open the account" };
}
