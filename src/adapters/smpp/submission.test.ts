import fc from "fast-check";
import { expect, test } from "vitest";
import { outgoing } from "../../../test/fakes/outgoing.ts";
import { FAILURES, type SubmitOutcome } from "../../domain/messaging/index.ts";
import { submitSm } from "../../wire/smpp/pdu.ts";
import { type PartFate, rejection, Submission } from "./submission.ts";

const NUMBER = { ton: 1, npi: 1, address: "14155550100" };

function progressOf(fates: readonly PartFate[]) {
  const pdu = submitSm({ source: NUMBER, destination: NUMBER, shortMessage: new Uint8Array(0) });
  const submission = new Submission(
    outgoing(),
    fates.map(() => pdu),
    () => {},
  );
  for (const [index, part] of submission.parts.entries()) part.fate = fates[index] as PartFate;
  const progress = submission.progress();
  if (progress.kind !== "unfinished") return progress;
  return { kind: "unfinished", rest: progress.rest.map((part) => submission.parts.indexOf(part)) };
}

const waiting: PartFate = { kind: "waiting" };
const sent: PartFate = { kind: "sent" };
const throttled: PartFate = { kind: "throttled", status: 0x58 };
const rejected: PartFate = { kind: "rejected", status: 0x0b };
const deferred: PartFate = { kind: "deferred", status: 0x08, failure: FAILURES.network };
const unknown: PartFate = { kind: "unknown", reason: "lost" };
const notSent: PartFate = { kind: "notSent", reason: "down" };
const accepted = (carrierId: string): PartFate => ({ kind: "accepted", carrierId });

test.each<[string, readonly PartFate[], SubmitOutcome]>([
  ["accepted in all parts", [accepted("1"), accepted("2")], { kind: "accepted", carrierIds: ["1", "2"] }],
  ["throttled before anything was accepted", [throttled, waiting], { kind: "throttled" }],
  ["not sent at all", [notSent, notSent], { kind: "notSent", reason: "down" }],
  [
    "rejected in one part",
    [accepted("1"), rejected, waiting],
    {
      kind: "rejected",
      failure: FAILURES.unreachable,
      reason: "The carrier answered ESME_RINVDSTADR",
      carrierIds: ["1"],
    },
  ],
  [
    "deferred before anything was accepted",
    [notSent, deferred],
    { kind: "deferred", failure: FAILURES.network, reason: "The carrier answered ESME_RSYSERR", carrierIds: [] },
  ],
  [
    "rejected when one part was deferred and another accepted",
    [deferred, accepted("2"), waiting],
    { kind: "rejected", failure: FAILURES.network, reason: "The carrier answered ESME_RSYSERR", carrierIds: ["2"] },
  ],
  ["unknown when a part may have arrived", [deferred, unknown], { kind: "unknown", reason: "lost", carrierIds: [] }],
  ["unknown in one part", [accepted("1"), unknown], { kind: "unknown", reason: "lost", carrierIds: [] }],
])("a message is %s", (_, fates, outcome) => {
  expect(progressOf(fates)).toEqual({ kind: "finished", outcome });
});

test("the rest of a message that has begun is still to be sent", () => {
  expect(progressOf([accepted("1"), throttled, waiting, notSent])).toEqual({ kind: "unfinished", rest: [1, 2, 3] });
  expect(progressOf([unknown, waiting])).toEqual({ kind: "unfinished", rest: [1] });
});

test("nothing is decided while an answer is awaited, and nothing accepted or in doubt is ever sent again", () => {
  const fate = fc.constantFrom(waiting, sent, throttled, rejected, deferred, unknown, notSent, accepted("1"));
  fc.assert(
    fc.property(fc.array(fate, { minLength: 1, maxLength: 6 }), (fates) => {
      const progress = progressOf(fates);
      expect(progress.kind === "awaiting").toBe(fates.includes(sent));
      if ("rest" in progress) {
        for (const index of progress.rest) expect([waiting, throttled, notSent]).toContain(fates[index as number]);
        expect(progress.rest.length).toBeGreaterThan(0);
      }
      if ("outcome" in progress) {
        const { outcome } = progress;
        const mayHaveBegun = fates.some(({ kind }) => kind === "accepted" || kind === "unknown");
        if (["throttled", "notSent", "deferred"].includes(outcome.kind)) expect(mayHaveBegun).toBe(false);
        if (outcome.kind === "accepted") expect(fates.every(({ kind }) => kind === "accepted")).toBe(true);
      }
    }),
  );
});

test.each([
  [0x0b, 1003],
  [0x08, 3011],
  [0x64, 3011],
  [0x45, 3006],
  [0x0a, 3003],
  [0x58, 3003],
  [0xffff, 3003],
] as const)("a submit refused with status %i failed with %i", (status, code) => {
  expect(rejection(status)).toMatchObject({ failure: { code } });
});
