import { expect, test } from "vitest";
import type { PduOwner, PduSubject } from "./ports.ts";
import { ShownPdus } from "./shown-pdus.ts";

const MESSAGE: PduOwner = { accountSid: "AC1", sid: "OM1" };
const MESSAGE_OF_OTHER: PduOwner = { accountSid: "AC2", sid: "OM2" };
const EARLY: PduSubject = { kind: "receipt", carrierId: "early" };

function newShown() {
  const state = { watchers: new Set<string | undefined>([undefined]), isBusy: false, elapsedMs: 0 };
  const answered = new Map<string, PduOwner>();
  const shown = new ShownPdus({
    isWatched: () => state.watchers.size > 0,
    isWatchedBy: (accountSid) => state.watchers.has(accountSid),
    owners: {
      get isBusy() {
        return state.isBusy;
      },
      answered: (carrier, carrierId, owner) => void answered.set(`${carrier} ${carrierId}`, owner),
      known: (carrier, subject) =>
        subject.kind === "receipt" ? answered.get(`${carrier} ${subject.carrierId}`) : undefined,
      of: async () => ({ accountSid: "AC2", sid: null }),
    },
    perSecondMax: 2,
    elapsedMs: () => state.elapsedMs,
  });
  const admits = (message: PduOwner) => shown.admits("acme", { kind: "message", message });
  return { shown, state, answered, admits };
}

test("no more PDUs are shown in a second than allowed", () => {
  const { state, admits } = newShown();
  expect([admits(MESSAGE), admits(MESSAGE_OF_OTHER), admits(MESSAGE)]).toEqual([true, true, false]);
  state.elapsedMs = 999;
  expect(admits(MESSAGE)).toBe(false);
  state.elapsedMs = 1_000;
  expect(admits(MESSAGE)).toBe(true);
});

test("an account that watches has PDUs of its own each second, whatever others send", () => {
  const { shown, state, admits } = newShown();
  state.watchers.add("AC1");
  for (let n = 0; n < 9; n++) admits(MESSAGE_OF_OTHER);
  expect([admits(MESSAGE_OF_OTHER), shown.admits("acme", EARLY)]).toEqual([false, false]);
  shown.answered("acme", "1", MESSAGE);
  const receipt: PduSubject = { kind: "receipt", carrierId: "1" };
  expect([admits(MESSAGE), shown.admits("acme", receipt), admits(MESSAGE)]).toEqual([true, true, false]);
});

test("a PDU that nobody would receive takes no share", () => {
  const { shown, state, admits } = newShown();
  state.watchers = new Set(["AC1"]);
  for (let n = 0; n < 9; n++) expect(admits(MESSAGE_OF_OTHER)).toBe(false);
  expect([shown.admits("acme", EARLY), admits(MESSAGE)]).toEqual([true, true]);
});

test("while many owners are being looked up, only PDUs are shown whose owner is known", () => {
  const { shown, state, admits } = newShown();
  state.isBusy = true;
  expect([shown.admits("acme", EARLY), admits(MESSAGE)]).toEqual([false, true]);
});

test("nothing is looked at while nobody watches", () => {
  const { shown, state } = newShown();
  expect(shown.isOn()).toBe(true);
  state.watchers.clear();
  expect(shown.isOn()).toBe(false);
});

test("the ids in answers are remembered while a client watches", () => {
  const { shown, state, answered } = newShown();
  shown.answered("acme", "1", MESSAGE);
  state.watchers.clear();
  shown.answered("acme", "2", MESSAGE);
  expect([...answered.keys()]).toEqual(["acme 1"]);
});

test("only the owner of a PDU that names no message is looked up", async () => {
  const { shown } = newShown();
  expect(await shown.ownerOf("acme", { kind: "message", message: MESSAGE })).toEqual(MESSAGE);
  expect(await shown.ownerOf("acme", { kind: "inbound", to: "+14155550150" })).toEqual({
    accountSid: "AC2",
    sid: null,
  });
});
