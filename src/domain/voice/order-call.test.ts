import { beforeEach, describe, expect, test } from "vitest";
import { DIAL_RULES } from "../../../test/fakes/dial-rules.ts";
import { VirtualClock } from "../../../test/fakes/virtual-clock.ts";
import { makeIds } from "../../base/ids.ts";
import { type Account, KEEPS_ALL } from "../accounts/index.ts";
import { type CallOrder, type OrderCallDeps, orderCall, orderFaults } from "./order-call.ts";
import type { CallStore, CallTrailStep, OrderedCall } from "./ports.ts";
import { KEY_PROMPT } from "./spoken-text.ts";

const OURS = "+14155550100";
const OTHER = "+14155550109";
const ORDER: CallOrder = { from: "+14155550101", to: "+14155550102" };
const ACCOUNT: Account = {
  sid: "AC1",
  name: "Example",
  status: "Active",
  suspendedReason: null,
  features: ["voice"],
  limitChanges: {},
  allowedCountries: null,
  country: "US",
  defaultCallerId: null,
  handlesKeywords: true,
  ...KEEPS_ALL,
  createdOn: new Date(0),
};

let active: number;
let stored: OrderedCall[];
let steps: readonly CallTrailStep[];
/** The numbers of the account with VOICE, the oldest first. */
let numbers: string[];

beforeEach(() => {
  active = 0;
  stored = [];
  steps = [];
  numbers = [OURS, OTHER];
});

const calls: Pick<CallStore, "insert" | "numbersOf" | "findCallerId" | "countActive"> = {
  async insert(call, noted = []) {
    stored.push(call);
    steps = noted;
  },
  numbersOf: async () => numbers,
  countActive: async () => active,
  findCallerId: async (_account, wanted) => {
    const number = wanted === null ? numbers[0] : numbers.find((one) => one === wanted);
    return number === undefined ? undefined : { number, messagingConfigSid: null };
  },
};
const DEPS: OrderCallDeps = {
  calls: calls as CallStore,
  rules: DIAL_RULES,
  mayConnect: (address) => !address.startsWith("10."),
  ids: makeIds(new VirtualClock()),
  requestId: null,
  now: new Date(0),
};
const order = (more: Partial<CallOrder> = {}, account: Partial<Account> = {}) =>
  orderCall(DEPS, { ...ACCOUNT, ...account }, { ...ORDER, ...more });

describe("an order that is accepted", () => {
  test("is stored with the usual times, no key, no program and no recording", async () => {
    expect(await order()).toMatchObject({ ok: true, value: { from: ORDER.from, to: ORDER.to, callerId: OURS } });
    expect(stored).toMatchObject([
      {
        call: { recording: null },
        scope: { phone: OURS, eventsTold: 0, callback: null },
        ...{ ringSeconds: 30, maxSeconds: 14_400, secondRingSeconds: null, keyPrompt: null, program: null },
      },
    ]);
  });

  test("is stored with the wishes of the client", async () => {
    const callback = { url: "https://example.com", shape: "Twilio", statuses: [] } as const;
    const wishes = { ringSeconds: 11, maxSeconds: 22, secondRingSeconds: 33 };
    await order({ ...wishes, callback, record: true });
    expect(stored).toMatchObject([{ ...wishes, scope: { callback }, call: { recording: { status: "Recording" } } }]);
  });

  test("asks for a key with the client's prompt, or with the usual one", async () => {
    await order({ requireKeyPress: true });
    await order({ requireKeyPress: true, keyPressPrompt: "Press 1." });
    expect(stored.map(({ keyPrompt }) => keyPrompt)).toEqual([KEY_PROMPT, "Press 1."]);
  });

  test("with a program is between the party and the number that it sees, and recorded if it may connect parties", async () => {
    const source = { document: { url: "https://example.com/", method: "POST" }, shape: "Twilio" } as const;
    const says = { script: [{ kind: "say", text: "Hello." }], source } as const;
    const asks = { script: [{ kind: "redirect", document: source.document }], source } as const;
    for (const program of [says, asks]) await order({ from: undefined, program, record: true });
    const parties = { from: OURS, to: ORDER.to, legs: [{ from: OURS, to: ORDER.to }] };
    expect(stored).toMatchObject([
      { program: says, call: { ...parties, recording: null } },
      { program: asks, call: { ...parties, recording: { status: "Recording" } } },
    ]);
  });

  test("between two parties calls the first one first", async () => {
    await order();
    expect(stored).toMatchObject([{ call: { ...ORDER, legs: [{ from: OURS, to: ORDER.from }] } }]);
  });

  test("tells once which voice speaks what a program asks for", async () => {
    const source = { document: { url: "", method: "POST" }, shape: "Twilio" } as const;
    const voice = { asked: "alice", spokenBy: "amy" };
    const says = { kind: "say", text: "Hello.", voice } as const;
    await order({ from: undefined, program: { script: [says, { kind: "say", text: "So." }, says], source } });
    expect(steps).toMatchObject([{ step: "voice", details: voice }]);
  });

  test("shows the wanted number, else the account's default, else its oldest number", async () => {
    await order({ callerId: OTHER });
    await order({}, { defaultCallerId: OTHER });
    await order({}, { defaultCallerId: "+14155550108" });
    await order();
    expect(stored.map(({ call }) => call.callerId)).toEqual([OTHER, OTHER, OURS, OURS]);
  });

  test("goes to the countries of the account's numbers, or to those that it is allowed", async () => {
    const abroad = { to: "+4930123456" };
    expect(await order(abroad)).toMatchObject({ ok: false, refusal: { code: "country-not-allowed" } });
    expect(await order(abroad, { allowedCountries: ["DE", "US"] })).toMatchObject({ ok: true });
    expect(await order({}, { allowedCountries: ["DE"] })).toMatchObject({
      refusal: { code: "country-not-allowed", errors: { from: [expect.any(String)], to: [expect.any(String)] } },
    });
  });
});

describe("an order that is refused", () => {
  test.each<[string, Partial<CallOrder>, readonly string[]]>([
    ["no first party", { from: undefined }, ["from"]],
    ["no second party", { to: "" }, ["to"]],
    ["a first party that is no number", { from: "soon" }, ["from"]],
    ["faults in both parties", { from: "soon", to: "later" }, ["from", "to"]],
    ["a private address", { to: "sip:alice@10.0.0.1" }, ["to"]],
    ["a caller id that is no number", { callerId: "me" }, ["callerId"]],
    ["a caller id of another account", { callerId: "+14155550107" }, ["callerId"]],
    ["a prompt without a key", { keyPressPrompt: "Press 1." }, ["keyPressPrompt"]],
    ["markup in the prompt", { requireKeyPress: true, keyPressPrompt: "<b>Press</b>" }, ["keyPressPrompt"]],
  ])("has %s", async (_what, wishes, fields) => {
    const answer = await order(wishes);
    expect(answer).toMatchObject({ ok: false, refusal: { code: "validation" } });
    expect(answer.ok ? [] : Object.keys(answer.refusal.errors ?? {})).toEqual(fields);
    expect(stored).toEqual([]);
  });

  test("has no number to show", async () => {
    numbers = [];
    expect(await order({}, { allowedCountries: ["US"] })).toMatchObject({
      refusal: { errors: { callerId: [expect.stringContaining("no number with VOICE")] } },
    });
  });

  test("is named after the fault that is more than a wrong field, and lists all", async () => {
    expect(await order({ from: "soon", to: "+19005550100" })).toMatchObject({
      refusal: { code: "premium-number", errors: { from: [expect.any(String)], to: [expect.any(String)] } },
    });
  });

  test("is for an emergency number, and lists no other fault", async () => {
    const answer = await order({ from: "soon", to: "911" });
    expect(answer).toMatchObject({ refusal: { code: "emergency-number", errors: { to: [expect.any(String)] } } });
    expect(answer.ok ? {} : answer.refusal.errors).not.toHaveProperty("from");
  });

  test("is one more than the account may have at a time", async () => {
    const account = { limitChanges: { concurrentCalls: { requests: 2, windowSeconds: 1 } } } as Partial<Account>;
    active = 1;
    expect(await order({}, account)).toMatchObject({ ok: true });
    active = 2;
    expect(await order({}, account)).toMatchObject({ refusal: { code: "rate-limited", retryAfterSeconds: 10 } });
  });
});

test("SIP addresses that are public, and host names, may be called", async () => {
  for (const to of ["sip:alice@192.0.2.1", "sip:alice@pbx.example"])
    expect(await order({ to })).toMatchObject({ ok: true });
});

test("the faults that need no store are found in the parts that could be read", () => {
  const faults = (wishes: Partial<CallOrder>) => Object.keys(orderFaults(DEPS, wishes, "US"));
  expect(faults({})).toEqual([]);
  expect(faults({ from: "(415) 555-0101", to: "sip:alice@pbx.example", callerId: OURS })).toEqual([]);
  expect(faults({ from: "soon", to: "sip:alice@10.0.0.1", callerId: "me", keyPressPrompt: "Press 1." })).toEqual([
    "from",
    "to",
    "callerId",
    "keyPressPrompt",
  ]);
});
