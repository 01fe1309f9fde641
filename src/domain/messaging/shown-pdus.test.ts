import { expect, test } from "vitest";
import type { PduOwner } from "./ports.ts";
import { ShownPdus } from "./shown-pdus.ts";

const MESSAGE: PduOwner = { accountSid: "AC1", sid: "OM1" };

function newShown() {
  const state = { isWatched: true, isBusy: false, elapsedMs: 0 };
  const answered: string[] = [];
  const shown = new ShownPdus({
    isWatched: () => state.isWatched,
    owners: {
      get isBusy() {
        return state.isBusy;
      },
      answered: (carrier, carrierId) => void answered.push(`${carrier} ${carrierId}`),
      of: async () => ({ accountSid: "AC2", sid: null }),
    },
    perSecondMax: 2,
    elapsedMs: () => state.elapsedMs,
  });
  return { shown, state, answered };
}

test("no more PDUs are shown in a second than allowed", () => {
  const { shown, state } = newShown();
  expect([shown.admits(), shown.isOn(), shown.admits(), shown.isOn(), shown.admits()]).toEqual([
    ...[true, true, true],
    ...[false, false],
  ]);
  state.elapsedMs = 999;
  expect(shown.admits()).toBe(false);
  state.elapsedMs = 1_000;
  expect([shown.isOn(), shown.admits()]).toEqual([true, true]);
});

test("no PDU is shown while nobody watches, or while many owners are being looked up", () => {
  const { shown, state } = newShown();
  state.isBusy = true;
  expect(shown.isOn()).toBe(false);
  Object.assign(state, { isBusy: false, isWatched: false });
  expect(shown.isOn()).toBe(false);
});

test("the ids in answers are remembered while a client watches", () => {
  const { shown, state, answered } = newShown();
  shown.answered("acme", "1", MESSAGE);
  state.isWatched = false;
  shown.answered("acme", "2", MESSAGE);
  expect(answered).toEqual(["acme 1"]);
});

test("only the owner of a PDU that names no message is looked up", async () => {
  const { shown } = newShown();
  expect(await shown.ownerOf("acme", { kind: "message", message: MESSAGE })).toEqual(MESSAGE);
  expect(await shown.ownerOf("acme", { kind: "inbound", to: "+14155550150" })).toEqual({
    accountSid: "AC2",
    sid: null,
  });
});
