// Places calls, and lists, explains, ends and deletes them.

import { z } from "zod";
import type { Ids } from "../../../../base/ids.ts";
import { members } from "../../../../base/plain-command.ts";
import { ok, type Result, refused } from "../../../../base/result.ts";
import type { Account } from "../../../../domain/accounts/index.ts";
import { type FieldErrors, invalid, mergeErrors, type Problem, problem } from "../../../../domain/problems.ts";
import {
  CALL_DIRECTIONS,
  CALL_STATUSES,
  CALL_STEPS,
  type Call,
  type CheckUrl,
  type DialRules,
  type OrderCallDeps,
  type OrderedProgram,
  orderCall,
  orderFaults,
  programAt,
  programOfText,
  RECORDING_ACTIONS,
  type RecordingUrl,
  type RedirectCallDeps,
  readScript,
  redirectCall,
  type StoredSipMessage,
  scriptDestinationReader,
  summariseCall,
  switchRecording,
  trailOf,
} from "../../../../domain/voice/index.ts";
import { writePcap } from "../../../../wire/pcap.ts";
import { SINCE_UNTIL, TRAIL } from "../../core/command-parts.ts";
import { accountOperation, type Operation, tagged } from "../../core/operation.ts";
import { answerCreated, answerFound, answerPage, answerWith, NOT_FOUND } from "../../core/outcomes.ts";
import type { Unit } from "../../core/ports.ts";
import { idsFor, type RequestName } from "../../core/request-context.ts";
import { dateOf, listOf, listQuery, pageRequestOf, sidParams, text, timestamp } from "../../core/schemas.ts";
import { numberFilter } from "../../reading/read-number.ts";
import { showDelivery } from "../webhooks/deliveries.ts";
import { CALLS, callOrderSchema, callSchema, redirectSchema, showCall, sipMessageSchema } from "./call-schemas.ts";
import { recordingSchema, showRecording } from "./recording-schemas.ts";

export interface CallRouteDeps extends Pick<OrderCallDeps, "mayConnect"> {
  readonly checkUrl: CheckUrl;
  readonly ids: Ids;
  readonly rules: DialRules;
  readonly supportContact: string;
  /** Whether any process of this service can use SIP. */
  readonly isOpen: boolean;
  /** Waits for a short time until the process that holds the call has made the change. */
  readonly untilCall: (accountSid: string, sid: string, isSo: (call: Call) => boolean) => Promise<Call | undefined>;
  readonly until: RedirectCallDeps["until"];
  readonly recordingUrl: RecordingUrl;
}

const number = text(512);
const since = z.iso.datetime({ offset: true });
const NOT_ENDED: Problem = {
  ...problem("call-not-reached", "The process that has the call has not ended it yet. It stays asked for: look again."),
  retryAfterSeconds: 5,
};

/** Why the account may not call at all, if it may not. */
export function callBarrier(deps: CallRouteDeps, account: Account): Problem | undefined {
  if (!account.features.includes("voice"))
    return problem("feature-off", `voice is off for this account: ask ${deps.supportContact} for it.`);
  return deps.isOpen ? undefined : problem("not-available", "No SIP is configured: `sip` in tandem.config.json.");
}

/** Returns the ended call. Refused if the process that holds it has not ended it yet; the request to end it stays. */
export async function hangUpCall(
  deps: CallRouteDeps,
  { calls }: Pick<Unit, "calls">,
  accountSid: string,
  sid: string,
): Promise<Result<Call, Problem>> {
  const isEnded = ({ status }: Call) => status === "Completed";
  const found = await calls.find(accountSid, sid);
  if (!found) return NOT_FOUND;
  if (isEnded(found)) return ok(found);
  await calls.askToHangUp(accountSid, sid);
  const call = await deps.untilCall(accountSid, sid, isEnded);
  if (!call) return NOT_FOUND;
  return isEnded(call) ? ok(call) : refused(NOT_ENDED);
}

/** What an order of a call needs in addition to the store. */
export function callDeps(
  { rules, mayConnect, ids }: CallRouteDeps,
  { now, request }: { readonly now: Date; readonly request: RequestName },
): Omit<OrderCallDeps, "calls"> {
  return { rules, mayConnect, ids: idsFor(request, ids, "CA"), requestId: request.isGiven ? request.id : null, now };
}

interface GivenProgram {
  readonly script?: string | undefined;
  readonly scriptUrl?: string | undefined;
}

/** The program that comes with a request, in our own language; undefined where there is none. */
function programOf(
  { checkUrl, rules }: Pick<CallRouteDeps, "checkUrl" | "rules">,
  { script: text, scriptUrl: url }: GivenProgram,
  country: string | null,
): Result<OrderedProgram | undefined, FieldErrors> {
  if (text !== undefined) {
    const readDestination = scriptDestinationReader(rules, country);
    const program = programOfText({ text, shape: "A", read: readScript, readDestination, checkUrl });
    return program.ok ? program : refused({ script: [program.refusal] });
  }
  if (url === undefined) return ok(undefined);
  const checked = checkUrl(url);
  return checked.ok ? ok(programAt({ url, method: "POST" }, "A")) : refused({ scriptUrl: [checked.refusal] });
}

const faultsOf = (read: Result<unknown, FieldErrors>): FieldErrors => (read.ok ? {} : read.refusal);

/** Undefined when the account has no such call. Looks for the call only when it has no messages. */
async function sipMessagesOf({ calls }: Unit, accountSid: string, sid: string) {
  const messages = await calls.sipMessages(accountSid, sid);
  return messages.length > 0 || (await calls.find(accountSid, sid)) ? messages : undefined;
}

function showSipMessage({ at, leg, direction, peer, transport, text: message }: StoredSipMessage): object {
  const startLine = message.slice(0, /\r?\n/.exec(message)?.index ?? message.length);
  return { at, leg, direction, peer, transport, startLine, text: message };
}

function toCaptured({ at, direction, peer, local, text: message }: StoredSipMessage) {
  const isSent = direction === "Sent";
  return { at, source: isSent ? local : peer, destination: isSent ? peer : local, text: message };
}

/** `/v1/Calls…`, a second path for the same operations. */
export function spelledShort<Deps>(operations: readonly Operation<Deps>[]): readonly Operation<Deps>[] {
  return operations.map((operation) => ({ ...operation, path: operation.path.replace("/Voice/Calls", "/Calls") }));
}

/** A delivery of a webhook is a step, too. */
const stepSchema = z.enum([...CALL_STEPS, "webhook"]).meta({ id: "CallStep" });

export const callOperations = tagged<CallRouteDeps>("Calls", [
  accountOperation({
    id: "placeCall",
    sdk: "calls.place",
    command: "call {from} {to} [--caller-id callerId] [--record record] [--key requireKeyPress]",
    summary: "Place a call",
    description:
      "Calls `from` first; when it has answered, calls `to` and connects both. With `script` or `scriptUrl` instead of `from`, calls `to` and runs that program for it. Answered when the call is stored; how it goes is told by `CallStatusChangedWebhook`.",
    route: "POST /Voice/Calls",
    limit: "call",
    body: callOrderSchema,
    answers: { 201: { description: "The call, about to be dialled.", body: callSchema } },
    refusals: ["feature-off", "not-available", "emergency-number", "premium-number", "country-not-allowed"],
    furtherFaults: ({ body, country }, deps) =>
      mergeErrors(orderFaults(deps, body, country), faultsOf(programOf(deps, body, country))),
    async handle({ account, body, ...input }, unit, deps) {
      const barrier = callBarrier(deps, account);
      if (barrier) return refused(barrier);
      const program = programOf(deps, body, account.country);
      if (!program.ok) {
        return refused(invalid(mergeErrors(orderFaults(deps, body, account.country), faultsOf(program))));
      }
      const order = { ...body, program: program.value };
      return answerCreated(await orderCall({ ...callDeps(deps, input), calls: unit.calls }, account, order), (value) =>
        showCall(value, deps.recordingUrl),
      );
    },
  }),
  accountOperation({
    id: "listCalls",
    sdk: "calls.list",
    command: {
      name: "calls list",
      about: "List calls, the newest first.",
      options: {
        "--status <status>": ["Status"],
        "--direction <direction>": ["Direction"],
        "--from <party>": ["From", "from this number or SIP URI"],
        "--to <party>": ["To", "to this number or SIP URI"],
        ...SINCE_UNTIL,
      },
      isLimited: true,
      shows: CALLS,
    },
    summary: "List calls",
    route: "GET /Voice/Calls",
    isSeenByOperators: true,
    query: listQuery({
      Status: z.enum(CALL_STATUSES).optional(),
      Direction: z.enum(CALL_DIRECTIONS).optional(),
      From: number.optional(),
      To: number.optional(),
      CreatedOnFrom: since.optional(),
      CreatedOnTo: since.optional(),
    }),
    answers: { 200: { description: "A page of calls.", body: listOf("CallList", callSchema) } },
    handle: async ({ account, query }, unit, deps) =>
      answerPage(
        await unit.calls.list(account.sid, pageRequestOf(query), {
          status: query.Status,
          direction: query.Direction,
          from: numberFilter(query.From, account.country),
          to: numberFilter(query.To, account.country),
          createdFrom: dateOf(query.CreatedOnFrom),
          createdTo: dateOf(query.CreatedOnTo),
        }),
        (call) => showCall(call, deps.recordingUrl),
      ),
  }),
  accountOperation({
    id: "getCall",
    sdk: "calls.get",
    command: [
      "calls show {sid}",
      {
        name: "calls recordings list",
        about: "List the segments of a call's recording.",
        arguments: { "<sid>": "the call" },
        only: "recordings",
        lacks: "The call was not recorded.",
        isAccountsOnly: true,
        shows: [
          {
            fields: members("Sid = recordings.sid, Status = recordings.status, Seconds = recordings.durationSeconds"),
          },
          {
            of: "recordings.segments",
            table: members(
              "Segment = index, Begun = startedOn, Seconds = durationSeconds, Octets = sizeBytes, SHA-256 = sha256",
            ),
          },
        ],
      },
    ],
    summary: "A call",
    route: "GET /Voice/Calls/{sid}",
    isSeenByOperators: true,
    params: sidParams,
    answers: { 200: { description: "The call.", body: callSchema } },
    refusals: ["not-found"],
    handle: async ({ account, params }, unit, deps) =>
      answerFound(await unit.calls.find(account.sid, params.sid), (value) => showCall(value, deps.recordingUrl)),
  }),
  accountOperation({
    id: "hangUpCall",
    sdk: "calls.hangUp",
    command: { name: "calls hangup", about: "Hang up a call.", arguments: { "<sid>": "the call" }, shows: CALLS },
    summary: "Hang up a call",
    description:
      "A call that has ended is answered as it is. While the process that has the call does not answer it is 503; it ends the call when it does.",
    route: "POST /Voice/Calls/{sid}/hangup",
    writes: false,
    params: sidParams,
    answers: { 200: { description: "The call, ended.", body: callSchema } },
    refusals: ["not-found", "call-not-reached"],
    handle: async ({ account, params }, unit, deps) =>
      answerWith(await hangUpCall(deps, unit, account.sid, params.sid), (value) => showCall(value, deps.recordingUrl)),
  }),
  accountOperation({
    id: "redirectCall",
    sdk: "calls.redirect",
    command: {
      name: "calls redirect",
      about: "Make a call under way go on with another program.",
      arguments: { "<sid>": "the call" },
      options: {
        "--script <xml>": ["script", "the call script itself"],
        "--script-url <url>": ["scriptUrl", "who is asked for it", { conflicts: "script" }],
      },
      needs: "Give --script or --script-url.",
      shows: CALLS,
    },
    summary: "Make a call go on with another program",
    description:
      "At once, whatever is under way: the first party hears no more of it, and a second party is hung up. Answered when the call goes on with it; what is not done within 5 seconds is withdrawn and answered by 503.",
    route: "POST /Voice/Calls/{sid}/redirect",
    writes: false,
    params: sidParams,
    body: redirectSchema,
    answers: { 200: { description: "The call.", body: callSchema } },
    refusals: ["not-found", "feature-off", "not-available", "call-not-in-progress", "call-not-reached"],
    furtherFaults: ({ body, country }, deps) => faultsOf(programOf(deps, body, country)),
    async handle({ account, params: { sid }, body }, unit, deps) {
      const barrier = callBarrier(deps, account);
      if (barrier) return refused(barrier);
      const program = programOf(deps, body, account.country);
      if (!program.ok) return refused(invalid(program.refusal));
      if (!program.value) throw new Error("a redirection without a program was accepted");
      const { calls } = unit;
      return answerWith(await redirectCall({ calls, until: deps.until }, account.sid, sid, program.value), (value) =>
        showCall(value, deps.recordingUrl),
      );
    },
  }),
  accountOperation({
    id: "deleteCall",
    sdk: "calls.delete",
    command: {
      name: "calls delete",
      about: "Delete a call that has ended, with its recording.",
      arguments: { "<sid>": "the call" },
      done: "deleted",
      shows: [{ say: "{<sid>} is deleted." }],
    },
    summary: "Delete a call with everything that belongs to it",
    route: "DELETE /Voice/Calls/{sid}",
    params: sidParams,
    answers: { 204: { description: "It is deleted." } },
    refusals: ["not-found", "conflict"],
    async handle({ account, params }, unit) {
      const removed = await unit.calls.remove(account.sid, params.sid);
      if (removed === "unknown") return NOT_FOUND;
      if (removed === "active") return refused(problem("conflict", "The call is under way: hang it up first."));
      return ok({ status: 204 });
    },
  }),
  accountOperation({
    id: "controlRecording",
    sdk: "calls.controlRecording(sid, action)",
    command: [
      {
        name: "calls pause",
        about: "Pause the recording of a call that is under way.",
        arguments: { "<sid>": "the call" },
        sets: { action: "Pause" },
        shows: [{ say: "The recording of {<sid>} is paused." }],
      },
      {
        name: "calls resume",
        about: "Resume the recording of a call that is under way.",
        arguments: { "<sid>": "the call" },
        sets: { action: "Resume" },
        shows: [{ say: "The recording of {<sid>} is resumed." }],
      },
    ],
    summary: "Pause or resume the recording of a call",
    description:
      "Answered when it is done; what is not done within 5 seconds is withdrawn and answered by 503. Each resume begins a new segment; what is so already is answered as it is. Before the parties are connected it says how recording will begin.",
    route: "POST /Voice/Calls/{sid}/recording-control",
    writes: false,
    params: sidParams,
    body: z.strictObject({ action: z.enum(RECORDING_ACTIONS) }).meta({ id: "RecordingControl" }),
    answers: { 200: { description: "The recording.", body: recordingSchema } },
    refusals: ["not-found", "conflict", "call-not-reached"],
    handle: async ({ account, params: { sid }, body }, { calls }, { untilCall, recordingUrl }) =>
      answerWith(await switchRecording({ calls, untilCall }, account.sid, sid, body.action), (value) =>
        showRecording(sid, value, recordingUrl),
      ),
  }),
  accountOperation({
    id: "explainCall",
    sdk: "calls.why",
    command: {
      name: "calls why",
      about: "Tell why a call went as it did: everything that was decided and happened, in order.",
      arguments: { "<sid>": "the call" },
      shows: [{ print: ["{sid} is {status}: {endReason}", "{sid} is {status}"] }, ...TRAIL],
    },
    summary: "Why a call went as it did",
    description: "In sentences, and everything that was decided and happened, in order, with the webhooks it sent.",
    route: "GET /Voice/Calls/{sid}/why",
    isSeenByOperators: true,
    params: sidParams,
    answers: {
      200: {
        description: "The trail.",
        body: z
          .strictObject({
            summary: z
              .strictObject({ what: z.string(), why: z.string(), advice: z.string().nullable() })
              .describe("`advice` is null when nothing is to be done."),
            sid: z.string(),
            status: z.enum(CALL_STATUSES),
            endReason: z.string().nullable(),
            steps: z.array(z.strictObject({ at: timestamp, step: stepSchema, details: z.unknown() })),
          })
          .meta({ id: "CallTrail" }),
      },
    },
    refusals: ["not-found"],
    async handle({ account, params }, unit) {
      const found = await unit.calls.find(account.sid, params.sid);
      if (!found) return NOT_FOUND;
      const noted = await unit.calls.trail(account.sid, params.sid);
      const page = { size: 100, direction: "Ascending" } as const;
      const { items } = await unit.deliveries.list(account.sid, page, { resourceSid: params.sid });
      const webhooks = items.map((delivery) => ({
        at: delivery.createdOn,
        step: "webhook",
        details: showDelivery(delivery),
      }));
      const { sid, status, endReason } = found;
      const steps = [...trailOf(found, noted), ...webhooks].sort((one, other) => one.at.getTime() - other.at.getTime());
      return ok({ status: 200, body: { summary: summariseCall(found, noted), sid, status, endReason, steps } });
    },
  }),
  accountOperation({
    id: "listSipMessages",
    sdk: "calls.sipMessages",
    command: {
      name: "calls sip",
      about: "Show the SIP messages of a call, in order. Credentials and keys are masked.",
      arguments: { "<sid>": "the call" },
      json: "print JSON",
      shows: [
        {
          lines: "── {at}  {direction} {direction|preposition} {peer} by {transport}, {leg} leg\n{text|lines}\n",
          empty: "None were kept: TANDEM_SIP_TRACE says whether and how long they are.",
        },
      ],
    },
    summary: "The SIP messages of a call",
    description: "In order: the first 150 and the last 50.",
    route: "GET /Voice/Calls/{sid}/sip",
    isSeenByOperators: true,
    params: sidParams,
    answers: {
      200: {
        description: "The messages.",
        body: z.strictObject({ items: z.array(sipMessageSchema) }).meta({ id: "SipMessageList" }),
      },
    },
    refusals: ["not-found"],
    handle: async ({ account, params }, unit) =>
      answerFound(await sipMessagesOf(unit, account.sid, params.sid), (messages) => ({
        items: messages.map(showSipMessage),
      })),
  }),
  accountOperation({
    id: "captureSipMessages",
    sdk: "calls.sipCapture",
    command: {
      name: "calls capture",
      about: "Write the SIP messages of a call to a capture file, for Wireshark and the like.",
      arguments: { "<sid>": "the call" },
      options: { "-o, --out <file>": ["out", "where to; - is standard output, SID.pcap by default"] },
      json: "print what was written as JSON",
      shows: [{ file: "{<sid>}.pcap", text: ": {octets} octets" }],
    },
    summary: "The SIP messages of a call as packets",
    description: "A capture file for Wireshark or sngrep.",
    route: "GET /Voice/Calls/{sid}/sip.pcap",
    params: sidParams,
    answers: { 200: { description: "The file.", mediaType: "application/vnd.tcpdump.pcap" } },
    refusals: ["not-found"],
    async handle({ account, params }, unit) {
      const messages = await sipMessagesOf(unit, account.sid, params.sid);
      if (!messages) return NOT_FOUND;
      const bytes = writePcap(messages.map(toCaptured));
      return ok({
        status: 200,
        file: { name: `${params.sid}.pcap`, contentType: "application/vnd.tcpdump.pcap", bytes },
      });
    },
  }),
]);
