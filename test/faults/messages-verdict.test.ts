// Tests of the fault tests' verdict: it reports what must not happen.

import { expect, test } from "vitest";
import { type Evidence, faultsIn, inboundFaultsIn } from "./messages-verdict.ts";

const record = { sid: "OM1", text: "t-1 a text", status: "Delivered", errorCode: 0, segmentCount: 1 };
const unknown = { ...record, status: "Failed", errorCode: 3100 };
const copy = { text: record.text, isWhole: true };
const sent = { Sid: "OM1", Sequence: 1, PreviousStatus: "Queued", Status: "Sent" };
const delivered = { Sid: "OM1", Sequence: 2, PreviousStatus: "Sent", Status: "Delivered" };
const failed = { ...sent, Status: "Failed" };

const good: Evidence = {
  acknowledged: new Map([["t-1", "OM1"]]),
  records: [record],
  events: [delivered, sent],
  received: [copy],
  submits: 1,
};
const lost: Evidence = { ...good, records: [unknown], events: [failed], received: [], submits: 0 };

test.each<[string, Evidence]>([
  ["a message that was sent and delivered", good],
  ["one of unknown outcome that has not arrived", lost],
  ["one of unknown outcome that has arrived", { ...lost, received: [copy], submits: 1 }],
  [
    "one of unknown outcome whose receipt came late",
    { ...good, events: [failed, { ...delivered, PreviousStatus: "Failed" }] },
  ],
  ["one that was stored although nobody was told", { ...good, acknowledged: new Map() }],
])("%s is all right", (_, evidence) => {
  expect(faultsIn(evidence)).toEqual([]);
});

test.each<[string, Evidence]>([
  ["acknowledged and not known", { ...good, records: [], events: [], received: [], submits: 0 }],
  ["acknowledged under another sid", { ...good, acknowledged: new Map([["t-1", "OM2"]]) }],
  [
    "stored twice",
    { ...good, records: [record, { ...unknown, sid: "OM2" }], events: [sent, delivered, { ...failed, Sid: "OM2" }] },
  ],
  ["sent twice", { ...good, received: [copy, copy], submits: 2 }],
  ["sent twice, and of unknown outcome", { ...lost, received: [copy, copy], submits: 1 }],
  ["sent twice in part", { ...good, submits: 2 }],
  ["delivered without having been sent", { ...good, received: [], submits: 1 }],
  ["delivered in part", { ...good, received: [{ ...copy, isWhole: false }] }],
  ["delivered with another text", { ...good, received: [{ ...copy, text: "t-1 another text" }] }],
  ["still queued", { ...lost, records: [{ ...record, status: "Queued" }], events: [] }],
  ["failed for another reason", { ...lost, records: [{ ...unknown, errorCode: 3003 }] }],
  ["told twice", { ...good, events: [sent, delivered, delivered] }],
  ["told with a gap", { ...good, events: [sent, { ...delivered, Sequence: 3 }] }],
  ["not told", { ...good, events: [sent] }],
  ["told from where it was not", { ...good, events: [sent, { ...delivered, PreviousStatus: "Queued" }] }],
  ["sent and not known", { ...good, received: [copy, { ...copy, text: "t-2 a text" }] }],
])("a message that is %s is a fault", (_, evidence) => {
  expect(faultsIn(evidence)).not.toEqual([]);
});

const inbound = {
  answered: ["t-1 hi"],
  records: [{ sid: "IM1", text: "t-1 hi" }],
  events: [{ sid: "IM1", text: "t-1 hi" }],
};

test("an inbound message is stored once and told once", () => {
  const { answered, records, events } = inbound;
  expect(inboundFaultsIn(inbound)).toEqual([]);
  expect(inboundFaultsIn({ answered, records: [], events: [] })).not.toEqual([]);
  expect(inboundFaultsIn({ answered, records: [...records, { sid: "IM2", text: "t-1 hi" }], events })).not.toEqual([]);
  expect(inboundFaultsIn({ answered: [], records, events })).not.toEqual([]);
  expect(inboundFaultsIn({ answered, records, events: [] })).not.toEqual([]);
  expect(inboundFaultsIn({ answered, records, events: [...events, ...events] })).not.toEqual([]);
});
