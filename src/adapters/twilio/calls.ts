// Calls in Twilio's shape. Our first leg is the call at Twilio; the party that it calls is `To`, and `From` is the
// number of the account that this party sees. What the call does comes as TwiML, or is requested from a URL when the
// call is ordered.

import { z } from "zod";
import { timeOfSid } from "../../base/ids.ts";
import type { PageRequest } from "../../base/page.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import { tableOf } from "../../base/table.ts";
import type { Account } from "../../domain/accounts/index.ts";
import { nationalFormat } from "../../domain/lookup/index.ts";
import { invalid, type Problem, problem } from "../../domain/problems.ts";
import {
  CALL_SECONDS_MAX,
  type Call,
  type CallCallback,
  type CallOrder,
  type CheckUrl,
  type DialRules,
  durationSeconds,
  type Leg,
  legOf,
  type OrderCallDeps,
  type OrderedProgram,
  orderCall,
  programAt,
  programOfText,
  RING_SECONDS,
  type ScriptDial,
  type ScriptReader,
  scriptDestinationReader,
} from "../../domain/voice/index.ts";
import { answerWith } from "../http/core/outcomes.ts";
import type { Store, Unit } from "../http/core/ports.ts";
import type { RequestName } from "../http/core/request-context.ts";
import { anyText, text, words } from "../http/core/schemas.ts";
import { numberFilter } from "../http/reading/read-number.ts";
import { dialedLegOf, twilioCallStatus, twilioDialedCallSid } from "./names.ts";
import { API_VERSION, NOT_FOUND, refusing, type TwilioOperation, twilioOperation } from "./operation.ts";
import { mergedPage, PAGE_QUERY, pageBody, pageOf, spanOf, timeFilter, twilioDate, twilioPageRequest } from "./page.ts";
import { twilioPhoneSid } from "./phone-sid.ts";
import { inTheirWords } from "./problem.ts";

export interface TwilioCallDeps {
  /** Why the account may not call at all, if it may not. */
  readonly callBarrier: (account: Account) => Problem | undefined;
  readonly orderDeps: (input: { readonly now: Date; readonly request: RequestName }) => Omit<OrderCallDeps, "calls">;
  readonly hangUpCall: (unit: Unit, accountSid: string, sid: string) => Promise<Result<Call, Problem>>;
  readonly hangUpParty: (unit: Unit, accountSid: string, legSid: string) => Promise<Result<Call, Problem>>;
  readonly redirectCall: (
    unit: Unit,
    accountSid: string,
    sid: string,
    program: OrderedProgram,
  ) => Promise<Result<Call, Problem>>;
  readonly checkUrl: CheckUrl;
  readonly rules: DialRules;
  readonly readTwiml: ScriptReader;
  /** Makes the secret for signing callbacks if the account has none. */
  readonly readyCallbacks: (accountSid: string) => Promise<void>;
  readonly transaction: Store["transaction"];
}

const anything = anyText(4_096).optional();
const method = z.enum(["POST", "GET"]).optional();
/** Only storable text can be a filter of the store. */
const party = text(512, 0).optional();

function showCall(call: Call, account: Account): object {
  const isOutbound = call.direction === "Outbound";
  const leg = legOf(call, "First");
  return showLeg(call, leg, account, {
    sid: call.sid,
    parent: null,
    createdOn: call.createdOn,
    updatedOn: call.completedOn ?? call.answeredOn ?? call.createdOn,
    direction: isOutbound ? "outbound-api" : "inbound",
    status: statusOf(call),
  });
}

/** A party that the call has dialled. */
function showParty(call: Call, leg: Leg, account: Account): object {
  const createdOn = madeAt(leg.sid);
  return showLeg(call, leg, account, {
    sid: twilioDialedCallSid(leg.sid),
    parent: call.sid,
    createdOn,
    updatedOn: leg.completedOn ?? leg.answeredOn ?? leg.rangOn ?? createdOn,
    direction: "outbound-dial",
    status: statusOfParty(leg),
  });
}

interface ShownAs {
  readonly sid: string;
  readonly parent: string | null;
  readonly createdOn: Date;
  readonly updatedOn: Date;
  readonly direction: string;
  readonly status: string;
}

function showLeg(
  call: Call,
  leg: Leg | undefined,
  account: Account,
  { sid, parent, createdOn, updatedOn, direction, status }: ShownAs,
): object {
  const { from, to } = leg ?? call;
  const seconds = leg ? durationSeconds(leg) : null;
  const uri = `/${API_VERSION}/Accounts/${account.sid}/Calls/${sid}`;
  return {
    account_sid: account.sid,
    annotation: null,
    answered_by: null,
    api_version: API_VERSION,
    caller_name: null,
    date_created: twilioDate(createdOn),
    date_updated: twilioDate(updatedOn),
    direction,
    duration: seconds === null ? null : String(seconds),
    end_time: twilioDate(leg?.completedOn ?? null),
    forwarded_from: null,
    from,
    from_formatted: nationalFormat(from),
    group_sid: null,
    parent_call_sid: parent,
    phone_number_sid: twilioPhoneSid(call.direction === "Outbound" ? call.callerId : call.to),
    price: null,
    price_unit: null,
    queue_time: "0",
    sid,
    start_time: twilioDate(leg?.answeredOn ?? leg?.rangOn ?? null),
    status,
    subresource_uris: { recordings: `${uri}/Recordings.json` },
    to,
    to_formatted: nationalFormat(to),
    trunk_sid: null,
    uri: `${uri}.json`,
  };
}

function statusOf(call: Call): string {
  const leg = legOf(call, "First");
  const answeredOn = leg?.answeredOn ?? null;
  return twilioCallStatus(leg?.status ?? call.status, call.endReason, answeredOn !== null);
}

function statusOfParty({ status, endReason, answeredOn }: Leg): string {
  return twilioCallStatus(status, endReason, answeredOn !== null);
}

/** Sids begin with the time at which they were made. */
const madeAt = (sid: string) => new Date(timeOfSid(sid));

const partiesOf = (call: Call | undefined) => (call?.legs ?? []).filter(({ leg }) => leg === "Second");

const isAmong = (filter: string | undefined, value: string) => filter === undefined || filter === value;

/** What a call does. */
const PROGRAM_BODY = {
  Url: anything,
  Method: method,
  FallbackUrl: anything,
  FallbackMethod: method,
  Twiml: anyText(4_000).optional(),
};

const CALL_BODY = {
  To: words(512),
  From: words(64),
  ...PROGRAM_BODY,
  Record: z.boolean().optional(),
  Timeout: z.int().min(RING_SECONDS.min).max(RING_SECONDS.max).optional(),
  TimeLimit: z.int().min(1).max(CALL_SECONDS_MAX).optional(),
  SendDigits: anyText(32)
    .regex(/^[0-9*#wW]*$/, "Keys are 0 to 9, * and #; w waits for half a second, W for a second.")
    .optional(),
  StatusCallback: text(2_048).trim().optional(),
  StatusCallbackEvent: z.array(z.enum(["ringing", "answered", "completed"])).optional(),
  StatusCallbackMethod: z.enum(["POST"]).optional(),
  ...refusing(
    "ApplicationSid AsyncAmd AsyncAmdStatusCallback AsyncAmdStatusCallbackMethod Byoc CallReason CallToken CallerId ClientNotificationUrl MachineDetection MachineDetectionSilenceTimeout MachineDetectionSpeechEndThreshold MachineDetectionSpeechThreshold MachineDetectionTimeout Passports RecordingChannels RecordingConfigurationId RecordingStatusCallback RecordingStatusCallbackEvent RecordingStatusCallbackMethod RecordingTrack SipAuthPassword SipAuthUsername Trim",
  ),
};

type CallBody = z.output<z.ZodObject<typeof CALL_BODY>>;

const STATUSES = { ringing: "Ringing", answered: "Answered", completed: "Completed" } as const;

function callbackOf(
  deps: TwilioCallDeps,
  { StatusCallback: url, StatusCallbackEvent: events, StatusCallbackMethod }: CallBody,
): Result<CallCallback | undefined, Problem> {
  if (url === undefined) {
    const lone = events ? "StatusCallbackEvent" : StatusCallbackMethod && "StatusCallbackMethod";
    return lone ? refused(invalid({ [lone]: ["StatusCallback is missing."] })) : ok(undefined);
  }
  const checked = deps.checkUrl(url);
  if (!checked.ok) return refused(invalid({ StatusCallback: [checked.refusal] }));
  return ok({ url, shape: "Twilio", statuses: (events ?? ["completed"]).map((event) => STATUSES[event]) });
}

const ASKING = ["Url", "Method", "FallbackUrl", "FallbackMethod"] as const;

/** What the call does: TwiML that came with the order, or the URL that is asked when the party has answered. */
function programOf(
  deps: TwilioCallDeps,
  { Twiml, ...asking }: Pick<CallBody, "Twiml" | (typeof ASKING)[number]>,
  country: string | null,
): Result<OrderedProgram, Problem> {
  const { Url, Method = "POST", FallbackUrl, FallbackMethod = "POST" } = asking;
  if (Twiml !== undefined) {
    const unused = ASKING.filter((name) => asking[name] !== undefined);
    const fault = ["Twiml is given: nothing is requested from a URL."];
    if (unused.length > 0) return refused(invalid(Object.fromEntries(unused.map((name) => [name, fault]))));
    return readGiven(deps, Twiml, country);
  }
  if (Url === undefined) return refused(invalid({ Url: ["Url or Twiml is required."] }));
  const urls = { Url, ...(FallbackUrl && { FallbackUrl }) };
  for (const [field, url] of Object.entries(urls)) {
    const checked = deps.checkUrl(url);
    if (!checked.ok) return refused(invalid({ [field]: [checked.refusal] }));
  }
  const fallback = FallbackUrl ? { url: FallbackUrl, method: FallbackMethod } : undefined;
  return ok(programAt({ url: Url, method: Method }, "Twilio", fallback));
}

function readGiven(
  { readTwiml: read, rules, checkUrl }: TwilioCallDeps,
  text: string,
  country: string | null,
): Result<OrderedProgram, Problem> {
  const readDestination = scriptDestinationReader(rules, country);
  const program = programOfText({ text, shape: "Twilio", read, readDestination, checkUrl });
  return program.ok ? program : refused(invalid({ Twiml: [program.refusal] }));
}

/** A program that dials one party connects two, as an order of ours does. */
function orderOf({ To, From, SendDigits, Timeout, TimeLimit, Record }: CallBody, program: OrderedProgram): CallOrder {
  const order = { callerId: From, ringSeconds: Timeout, maxSeconds: TimeLimit };
  const end = program.script.findIndex(({ kind }) => kind === "hangUp");
  const keys = SendDigits ? [{ kind: "press", keys: SendDigits } as const] : [];
  const script = [...keys, ...(end === -1 ? program.script : program.script.slice(0, end))];
  const [first] = script;
  if (first?.kind !== "dial" || !connectsTwo(first) || script.length > 1) {
    return { ...order, to: To, record: Record, program: { ...program, script } };
  }
  const { to, record, ringSeconds, maxSeconds = CALL_SECONDS_MAX } = first;
  return {
    ...order,
    ...{ from: To, to, record: record ?? Record, secondRingSeconds: ringSeconds },
    maxSeconds: Math.min(TimeLimit ?? CALL_SECONDS_MAX, maxSeconds),
  };
}

/** Whether an order of two parties can say everything that the dial does. */
function connectsTwo({ others, whisper, action, endsOnStar, callerId }: ScriptDial): boolean {
  return !(others || whisper || action || endsOnStar || callerId !== undefined);
}

/** Fields of a CallOrder → Twilio's parameters. */
const THEIR_FIELDS = {
  ofProgram: tableOf<string>({ to: "To", callerId: "From" }),
  ofTwoParties: tableOf<string>({ from: "To", to: "Twiml", callerId: "From" }),
};

export const twilioCallOperations: readonly TwilioOperation<TwilioCallDeps>[] = [
  twilioOperation({
    id: "twilioCreateCall",
    client: "calls.create",
    summary: "Place a call",
    differs:
      "With `Twiml` (4,000 characters, in which what is asked for has its whole URL) or `Url`, not both. `Url` is asked when the party has answered, then `FallbackUrl`; if neither answers with TwiML, the call is hung up. `Record` counts where the TwiML dials: what `Say` says is not recorded. `Timeout` is of the party that is called, `timeout` of Dial of the other. `TimeLimit` counts from the first text, pause or request of the program, and from the join where the TwiML of the order is one `Dial`. `SendDigits` are sent when the party has answered, before anything else. `StatusCallbackEvent` is `ringing`, `answered` or `completed` (by default), and `StatusCallbackMethod` is POST.",

    route: "POST /Calls.json",
    limit: "call",
    // The secret for callbacks is made outside of the transaction.
    writes: false,
    body: CALL_BODY,
    async handle({ account, body, now, request }, _unit, deps) {
      const barrier = deps.callBarrier(account);
      if (barrier) return refused(barrier);
      const program = programOf(deps, body, account.country);
      if (!program.ok) return program;
      const callback = callbackOf(deps, body);
      if (!callback.ok) return callback;
      if (callback.value) await deps.readyCallbacks(account.sid);
      const own = deps.orderDeps({ now, request });
      const wishes = { ...orderOf(body, program.value), callback: callback.value };
      const ordered = await deps.transaction((unit) => orderCall({ ...own, calls: unit.calls }, account, wishes));
      const names = wishes.program ? THEIR_FIELDS.ofProgram : THEIR_FIELDS.ofTwoParties;
      if (!ordered.ok) return refused(inTheirWords(ordered.refusal, names));
      return ok({ status: 201, body: showCall(ordered.value, account) });
    },
  }),
  twilioOperation({
    id: "twilioFetchCall",
    client: "calls(sid).fetch",
    summary: "A call",
    route: "GET /Calls/{Sid}.json",
    params: { Sid: text(64) },
    async handle({ account, params }, unit) {
      const legSid = dialedLegOf(params.Sid);
      if (legSid !== undefined) {
        const parent = await unit.calls.findByParty(account.sid, legSid);
        const leg = partiesOf(parent).find(({ sid }) => sid === legSid);
        return parent && leg ? ok({ status: 200, body: showParty(parent, leg, account) }) : NOT_FOUND;
      }
      const found = await unit.calls.find(account.sid, params.Sid);
      return found ? ok({ status: 200, body: showCall(found, account) }) : NOT_FOUND;
    },
  }),
  twilioOperation({
    id: "twilioListCalls",
    client: "calls.list",
    summary: "List calls",
    differs:
      "`StartTime` filters by creation; with `Status` a page may be shorter than asked for. The parties that Dial has called are listed with `ParentCallSid` alone.",
    route: "GET /Calls.json",
    query: {
      ...PAGE_QUERY,
      To: party,
      From: party,
      Status: anything,
      ...timeFilter("StartTime"),
      ParentCallSid: text(64).optional(),
      ...refusing("EndTime EndTime< EndTime>"),
    },
    async handle({ account, query }, unit) {
      const request = twilioPageRequest(query);
      if (!request.ok) return request;
      const { from: createdFrom, to: createdTo } = spanOf(query, "StartTime");
      const [from, to] = [numberFilter(query.From, account.country), numberFilter(query.To, account.country)];
      const list = { noun: "calls", path: "/Calls.json" };
      if (query.ParentCallSid !== undefined) {
        const parent = await unit.calls.find(account.sid, query.ParentCallSid);
        const parties = partiesOf(parent).filter((leg) => {
          const madeOn = madeAt(leg.sid);
          const isThen = (!createdFrom || madeOn >= createdFrom) && (!createdTo || madeOn <= createdTo);
          const isSo = isAmong(from, leg.from) && isAmong(to, leg.to) && isAmong(query.Status, statusOfParty(leg));
          return isThen && isSo;
        });
        const source = { prefix: "LG", list: async (part: PageRequest) => pageOf(parties, part) };
        const found = await mergedPage<Leg>(request.value, [source]);
        const shown = (leg: Leg) => parent && showParty(parent, leg, account);
        return ok({ status: 200, body: pageBody(account, list, query, found, shown) });
      }
      const span = { createdFrom, createdTo };
      const outbound = { ...span, direction: "Outbound", callerId: from, called: to } as const;
      const inbound = { ...span, direction: "Inbound", from, to } as const;
      const page = await mergedPage<Call>(
        request.value,
        [outbound, inbound].map((filters) => ({
          prefix: "CA",
          list: (part) => unit.calls.list(account.sid, part, filters),
        })),
      );
      // A page may be shorter than requested, and still name the next.
      const isShown = (call: Call) => query.Status === undefined || statusOf(call) === query.Status;
      const show = (call: Call) => (isShown(call) ? showCall(call, account) : undefined);
      return ok({ status: 200, body: pageBody(account, list, query, page, show) });
    },
  }),
  twilioOperation({
    id: "twilioUpdateCall",
    client: "calls(sid).update",
    summary: "Hang up a call, or make it go on with other TwiML",
    differs:
      "`Status` is `completed` or `canceled`, or `Twiml` or `Url` say how the call goes on, as for `calls.create`. It has to be in progress. When that is in the middle of a Dial with `action`, that URL is told, and its answer does not count. A party that Dial has called can be hung up: what follows the Dial is done then.",
    route: "POST /Calls/{Sid}.json",
    writes: false,
    params: { Sid: text(64) },
    body: {
      Status: anything,
      ...PROGRAM_BODY,
      ...refusing("StatusCallback StatusCallbackMethod TimeLimit"),
    },
    async handle({ account, params: { Sid }, body: { Status, ...given } }, unit, deps) {
      const legSid = dialedLegOf(Sid);
      const party = (value: Call) => value.legs.find(({ sid }) => sid === legSid);
      const show = (value: Call) => {
        const leg = party(value);
        return leg ? showParty(value, leg, account) : showCall(value, account);
      };
      const isElsewhere = given.Twiml !== undefined || given.Url !== undefined;
      if (legSid !== undefined && isElsewhere) {
        const [name] = given.Url === undefined ? ["Twiml"] : ["Url"];
        return refused(
          invalid({ [name]: ["A party that Dial has called can be hung up; its parent goes on elsewhere."] }),
        );
      }
      if (Status === undefined && (given.Twiml !== undefined || given.Url !== undefined)) {
        const barrier = deps.callBarrier(account);
        if (barrier) return refused(barrier);
        const program = programOf(deps, given, account.country);
        if (!program.ok) return program;
        return answerWith(await deps.redirectCall(unit, account.sid, Sid, program.value), show);
      }
      const unused = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [name]));
      const fault = ["It counts only where Url says how the call goes on, and Status does not end it."];
      if (unused.length > 0) return refused(invalid(Object.fromEntries(unused.map((name) => [name, fault]))));
      if (Status !== "completed" && Status !== "canceled")
        return refused(invalid({ Status: ["Status is completed or canceled, unless Url or Twiml is given."] }));
      if (legSid !== undefined) return answerWith(await deps.hangUpParty(unit, account.sid, legSid), show);
      return answerWith(await deps.hangUpCall(unit, account.sid, Sid), show);
    },
  }),
  twilioOperation({
    id: "twilioDeleteCall",
    client: "calls(sid).remove",
    summary: "Delete a call with its recordings",
    route: "DELETE /Calls/{Sid}.json",
    params: { Sid: text(64) },
    async handle({ account, params }, unit) {
      const removed = await unit.calls.remove(account.sid, params.Sid);
      if (removed === "unknown") return NOT_FOUND;
      if (removed === "active") return refused(problem("conflict", "The call is under way: hang it up first."));
      return ok({ status: 204 });
    },
  }),
];
