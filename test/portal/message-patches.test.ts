import type { AccountEvent } from "@tandem/sdk";
import { expect, test } from "vitest";
import { hasEndedBadly, patched, patchOf } from "../../portal/src/api/message-patches.ts";

const AT = "2026-01-31T10:00:00.000Z";

const event = (Status: string, type = "OutboundMessageStatusChanged") =>
  ({
    type,
    createdOn: AT,
    payload: { Sid: "OM1", Status, ErrorCode: 0, ErrorDescription: null, SegmentCount: 1, Carrier: "Verizon" },
  }) as unknown as AccountEvent;

const patches = (status: string) => new Map([["OM1", patchOf(event(status)) ?? {}]]);
const pages = (status: string) => [
  { items: [{ sid: "OM2", status: "Queued" }], searchId: "OM2" },
  { items: [{ sid: "OM1", status, carrier: null }] },
];

test("what an event says of a message is put into its row, wherever the page holds it", () => {
  const [before, found] = [pages("Sent"), new Set<string>()];
  const now = patched(before, patches("Delivered"), found);
  expect(found).toEqual(new Set(["OM1"]));
  expect(now[1]?.items).toEqual([
    expect.objectContaining({ sid: "OM1", status: "Delivered", carrier: "Verizon", deliveredOn: AT }),
  ]);
  expect(now[0]).toBe(before[0]);
});

test.each(["Delivered", "Failed", "Sent"])(
  "a row that is %s already is not put back by an event before it",
  (known) => {
    const before = pages(known);
    expect(patched(before, patches("Sent"), new Set())).toBe(before);
  },
);

test("a late receipt shows in the row of a text that had failed", () => {
  expect(patched(pages("Failed"), patches("Delivered"), new Set())[1]?.items[0]).toMatchObject({ status: "Delivered" });
});

test("a list without the message stays the same", () => {
  const [before, found] = [[{ sid: "OM3", status: "Sent" }], new Set<string>()];
  expect(patched(before, patches("Delivered"), found)).toBe(before);
  expect(found).toEqual(new Set());
});

test("only what ended badly needs the server for its reason", () => {
  const ended = ["Queued", "Sent", "Delivered", "Failed", "Expired", "Canceled"].filter((status) =>
    hasEndedBadly(patchOf(event(status)) ?? {}),
  );
  expect(ended).toEqual(["Failed", "Expired", "Canceled"]);
  expect(patchOf(event("Sent", "InboundMessageReceived"))).toBeUndefined();
});
