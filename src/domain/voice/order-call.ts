// Accepts an outbound call, or refuses it with all its faults. An accepted call is stored; the process that claims it
// dials the first party.

import type { Ids } from "../../base/ids.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import { type Account, limitOf } from "../accounts/index.ts";
import { type FieldErrors, invalid, mergeErrors, type Problem, problem } from "../problems.ts";
import { CALL_SECONDS_MAX, type Call, RING_SECONDS } from "./call.ts";
import { beginOutbound } from "./call-flow.ts";
import {
  countryOfNumber,
  type Destination,
  type DestinationFault,
  type DialRules,
  hostFault,
  judgeCountry,
  type MayConnect,
  readDestination,
} from "./judge-destination.ts";
import type { CallCallback, CallerIdFacts, CallStore, WaitingCall } from "./ports.ts";
import type { CallScript, OrderedProgram, VoiceUse } from "./script.ts";
import { KEY_PROMPT, KEY_PROMPT_MAX, readSpokenText } from "./spoken-text.ts";

export interface CallOrder {
  /** Called first; absent where there is a program. */
  readonly from?: string | undefined;
  /** Called second, or the only party, for which the program is run. */
  readonly to: string;
  readonly program?: OrderedProgram | undefined;
  readonly callerId?: string | undefined;
  readonly record?: boolean | undefined;
  readonly requireKeyPress?: boolean | undefined;
  readonly keyPressPrompt?: string | undefined;
  readonly ringSeconds?: number | undefined;
  readonly maxSeconds?: number | undefined;
  /** For the second party; `ringSeconds` by default. */
  readonly secondRingSeconds?: number | undefined;
  readonly callback?: CallCallback | undefined;
}

export interface OrderCallDeps {
  readonly calls: CallStore;
  readonly rules: DialRules;
  readonly mayConnect: MayConnect;
  readonly ids: Ids;
  /** The client's id of the request; null if we made the id: the sid contains it. */
  readonly requestId: string | null;
  readonly now: Date;
}

const RETRY_SECONDS = 10;

export async function orderCall(
  deps: OrderCallDeps,
  account: Account,
  order: CallOrder,
): Promise<Result<Call, Problem>> {
  const from = order.program ? undefined : readDestination(order.from ?? "", deps.rules, account.country);
  const to = readDestination(order.to, deps.rules, account.country);
  const faults = [...(from ? faultsOf("from", from) : []), ...faultsOf("to", to)];
  const emergency = faults.find(({ fault }) => fault.code === "emergency-number");
  if (emergency) return refused(refusalOf([emergency]));
  const countries = await allowedCountriesOf(deps, account);
  for (const [field, read] of [
    ["from", from],
    ["to", to],
  ] as const) {
    if (!read?.ok) continue;
    faults.push(
      ...faultsOf(field, judgeCountry(read.value, countries, deps.rules)),
      ...hostFaults(deps, field, read.value),
    );
  }
  const callerId = await findCallerId(deps, account, order.callerId);
  if (!callerId.ok) faults.push(invalidField("callerId", callerId.refusal));
  const prompt = keyPromptOf(order);
  if (!prompt.ok) faults.push(invalidField("keyPressPrompt", prompt.refusal));
  if (faults.length > 0) return refused(refusalOf(faults));
  const most = limitOf(account, "concurrentCalls").requests;
  if ((await deps.calls.countActive(account.sid)) >= most) {
    return refused({
      ...problem("rate-limited", `${most} calls of the account are under way, which is the most it may have.`),
      retryAfterSeconds: RETRY_SECONDS,
    });
  }
  // Whom a program calls is not known yet: the call is between the party and the number that it sees.
  const shown = accepted(callerId);
  const parties = { from: from ? accepted(from).text : shown.number, to: accepted(to).text, callerId: shown };
  const wishes = { ...order, keyPrompt: accepted(prompt), program: order.program ?? null };
  return ok(await store(deps, account, wishes, parties));
}

/** The faults of an order, as far as it could be read, that need no store. */
export function orderFaults(
  deps: Pick<OrderCallDeps, "rules" | "mayConnect">,
  { from, to, callerId, ...order }: Omit<CallOrder, "to"> & { readonly to?: string | undefined },
  country: string | null,
): FieldErrors {
  const faults = Object.entries({ from, to }).flatMap(([field, text]) => {
    const read = text === undefined ? undefined : readDestination(text, deps.rules, country);
    if (!read) return [];
    return read.ok ? hostFaults(deps, field, read.value) : faultsOf(field, read);
  });
  const shown = callerId === undefined ? undefined : deps.rules.readNumber(callerId, country);
  if (shown && !shown.ok) faults.push(invalidField("callerId", shown.refusal.reason));
  const prompt = keyPromptOf(order);
  if (!prompt.ok) faults.push(invalidField("keyPressPrompt", prompt.refusal));
  return errorsOf(faults);
}

/** Where the account may call. Uses the caller's store: a request must not wait for a second connection. */
export async function allowedCountriesOf(
  { calls, rules }: { readonly calls: Pick<CallStore, "numbersOf">; readonly rules: DialRules },
  { sid, allowedCountries }: Account,
): Promise<readonly string[]> {
  if (allowedCountries) return allowedCountries;
  const numbers = await calls.numbersOf(sid);
  return [...new Set(numbers.flatMap((number) => countryOfNumber(number, rules) ?? []))];
}

/** Null where no key is asked for. */
function keyPromptOf({
  requireKeyPress,
  keyPressPrompt,
}: Pick<CallOrder, "requireKeyPress" | "keyPressPrompt">): Result<string | null, string> {
  if (requireKeyPress) return readSpokenText(keyPressPrompt ?? KEY_PROMPT, KEY_PROMPT_MAX);
  return keyPressPrompt === undefined ? ok(null) : refused("It is heard only with `requireKeyPress`.");
}

interface Parties {
  readonly from: string;
  readonly to: string;
  readonly callerId: CallerIdFacts;
}

async function store(
  deps: OrderCallDeps,
  account: Account,
  order: Omit<CallOrder, "program"> & Pick<WaitingCall, "keyPrompt" | "program">,
  parties: Parties,
): Promise<Call> {
  const { ids, requestId, now } = deps;
  const { keyPrompt, program } = order;
  const { number: phone, messagingConfigSid } = parties.callerId;
  const ringSeconds = order.ringSeconds ?? RING_SECONDS.usual;
  const maxSeconds = order.maxSeconds ?? CALL_SECONDS_MAX;
  const [{ call }] = beginOutbound(
    {
      sid: ids.sid("CA"),
      accountSid: account.sid,
      firstLegSid: ids.sid("LG"),
      from: parties.from,
      to: parties.to,
      called: program ? parties.to : parties.from,
      callerId: phone,
      ringSeconds,
      maxSeconds,
      recordingSid: ids.sid("RE"),
      // Only parties that are connected are recorded.
      isRecorded: mayConnect(program) && (order.record ?? false),
      program: [{ kind: "dial", legSid: ids.sid("LG"), to: parties.to }],
    },
    now,
  );
  const scope = { phone, messagingConfigSid, eventsTold: 0, callback: order.callback ?? null };
  const wishes = { ringSeconds, maxSeconds, secondRingSeconds: order.secondRingSeconds ?? null };
  const steps = voicesOf(program).map((voice) => ({ at: now, step: "voice" as const, details: { ...voice } }));
  await deps.calls.insert({ call, scope, ...wishes, keyPrompt, program, requestId }, steps);
  return call;
}

const NOT_CONNECTING = new Set(["say", "play", "pause", "press", "hangUp"]);

/** Whether a second party may be called: texts alone connect no parties. */
function mayConnect(program: OrderedProgram | null): boolean {
  return !program?.script.every(({ kind }) => NOT_CONNECTING.has(kind));
}

/** The voices that the texts of a program ask for, each once. */
function voicesOf(program: OrderedProgram | null): readonly VoiceUse[] {
  const texts = (program?.script ?? []).flatMap((one): CallScript => (one.kind === "gather" ? one.prompts : [one]));
  const voices = texts.flatMap((one) => (one.kind === "say" && one.voice ? [one.voice] : []));
  return [...new Map(voices.map((voice) => [voice.asked, voice])).values()];
}

interface FieldFault {
  readonly field: string;
  readonly fault: DestinationFault;
}

function faultsOf(field: string, read: Result<unknown, DestinationFault>): FieldFault[] {
  return read.ok ? [] : [{ field, fault: read.refusal }];
}

/** The value of a part; every part that was refused has added a fault before. */
function accepted<Value>(read: Result<Value, unknown>): Value {
  if (!read.ok) throw new Error("an order with a fault was accepted");
  return read.value;
}

function invalidField(field: string, reason: string): FieldFault {
  return { field, fault: { code: "validation", reason } };
}

function hostFaults(deps: Pick<OrderCallDeps, "mayConnect">, field: string, destination: Destination): FieldFault[] {
  const fault = hostFault(deps, destination);
  return fault === undefined ? [] : [invalidField(field, fault)];
}

/** The first code other than validation names the problem; the fields contain all faults. */
function refusalOf(faults: readonly FieldFault[]): Problem {
  const special = faults.find(({ fault }) => fault.code !== "validation");
  if (!special) return invalid(errorsOf(faults));
  return { ...problem(special.fault.code, special.fault.reason), errors: errorsOf(faults) };
}

function errorsOf(faults: readonly FieldFault[]): FieldErrors {
  return mergeErrors(...faults.map(({ field, fault }) => ({ [field]: [fault.reason] })));
}

export const NOT_SHOWN = "This is not one of your numbers with VOICE: see GET /v1/Phones.";

async function findCallerId(
  { calls, rules }: OrderCallDeps,
  account: Account,
  wanted: string | undefined,
): Promise<Result<CallerIdFacts, string>> {
  if (wanted !== undefined) {
    const parsed = rules.readNumber(wanted, account.country);
    if (!parsed.ok) return refused(parsed.refusal.reason);
    const found = await calls.findCallerId(account.sid, parsed.value.e164);
    return found ? ok(found) : refused(NOT_SHOWN);
  }
  const usual = account.defaultCallerId && (await calls.findCallerId(account.sid, account.defaultCallerId));
  const found = usual || (await calls.findCallerId(account.sid, null));
  return found ? ok(found) : refused("The account has no number with VOICE that could be shown as the caller.");
}
