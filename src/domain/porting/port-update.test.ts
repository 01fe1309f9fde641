import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  isOpen,
  mayBecome,
  newPortOrder,
  orderStatusOf,
  PORT_NUMBER_MOVES,
  PORT_ORDER_MOVES,
  type PortOrder,
  reasonOfNumber,
  reasonOfOrder,
} from "./port-order.ts";
import { PORT_REASON_CODES, portReasonOf } from "./port-reasons.ts";
import { foldPortUpdate, type PortChange, type PortUpdate } from "./port-update.ts";

const SID = `PO${"0".repeat(32)}`;
const NUMBERS = ["+14155550100", "+14155550101", "+14155550102"] as const;
const day = (n: number) => new Date(Date.UTC(2026, 0, n));

function order(numbers: readonly string[] = NUMBERS): PortOrder {
  return newPortOrder({
    sid: SID,
    accountSid: `AC${"0".repeat(32)}`,
    messagingConfigSid: `MC${"0".repeat(32)}`,
    numbers,
    createdOn: day(1),
    details: {
      losingCarrier: null,
      accountNumber: "123",
      billingTelephoneNumber: null,
      subscriber: { type: "Business", name: "Example", authorizedPerson: "Ann" },
      serviceAddress: {
        street: "1 Main St",
        street2: null,
        city: "San Francisco",
        state: "CA",
        postalCode: "94105",
        country: "US",
      },
      requestedOn: null,
      customerReference: null,
    },
  });
}

const says = (sequence: number, change: PortChange, numbers: readonly string[] | "all" = "all"): PortUpdate => ({
  orderSid: SID,
  sequence,
  at: day(sequence),
  numbers,
  change,
});

function foldAll(start: PortOrder, all: readonly PortUpdate[]) {
  const steps = [start];
  for (const updates of all) steps.push(foldPortUpdate(steps.at(-1) ?? start, updates).order);
  return { order: steps.at(-1) ?? start, steps };
}

const reason = portReasonOf("ACCOUNT_NUMBER_MISMATCH", null);

describe("an order", () => {
  test("that goes well is confirmed, then completed", () => {
    const { order: done, steps } = foldAll(order([NUMBERS[0]]), [
      says(1, { kind: "foc", on: day(9) }),
      says(2, { kind: "voiceMoved" }),
      says(3, { kind: "messagingMoved" }),
    ]);
    expect(steps.map(({ status, numbers }) => [status, numbers[0]?.status])).toEqual([
      ["Submitted", "Submitted"],
      ["FocConfirmed", "FocConfirmed"],
      ["FocConfirmed", "Activating"],
      ["Completed", "Completed"],
    ]);
    expect(done.numbers[0]).toMatchObject({ voiceMovedOn: day(2), messagingMovedOn: day(3) });
    expect(done.sequence).toBe(3);
  });

  test("of which a part is refused is partially completed, with the reason of the refused number", () => {
    const { order: done } = foldAll(order(), [
      says(1, { kind: "voiceMoved" }, NUMBERS.slice(0, 2)),
      says(2, { kind: "messagingMoved" }, NUMBERS.slice(0, 2)),
      says(3, { kind: "rejected", reason }, [NUMBERS[2]]),
    ]);
    expect(done.status).toBe("PartiallyCompleted");
    expect(done.numbers.map(({ status }) => status)).toEqual(["Completed", "Completed", "Failed"]);
    expect(reasonOfOrder(done)).toEqual(reason);
  });

  test("whose exception was answered is submitted again, and an exception told late does not come back", () => {
    const exception = says(1, { kind: "exception", reason });
    const held = foldPortUpdate(order(), exception);
    expect(held.order.status).toBe("Exception");
    expect(reasonOfOrder(held.order)).toEqual(reason);
    const again = foldAll(held.order, [says(2, { kind: "submitted" }), exception]);
    expect(again.order.status).toBe("Submitted");
  });

  test("waits for the last of its numbers before it is confirmed", () => {
    const on = day(9);
    const half = foldPortUpdate(order(), says(1, { kind: "foc", on }, NUMBERS.slice(0, 2))).order;
    expect(half.status).toBe("Submitted");
    expect(foldPortUpdate(half, says(2, { kind: "foc", on }, [NUMBERS[2]])).order.status).toBe("FocConfirmed");
  });

  test("keeps the later of two confirmed dates, whichever comes first", () => {
    const dates = [says(1, { kind: "foc", on: day(20) }), says(2, { kind: "foc", on: day(10) })];
    for (const arrival of [dates, dates.toReversed()]) {
      expect(foldAll(order(), arrival).order.numbers[0]?.phase).toMatchObject({ on: day(10) });
    }
  });

  test("cancelled is cancelled; a number of it that had moved in part keeps its half", () => {
    const { order: done } = foldAll(order(), [
      says(1, { kind: "messagingMoved" }, [NUMBERS[0]]),
      says(2, { kind: "cancelled" }),
    ]);
    expect(done.numbers.map(({ status }) => status)).toEqual(["PartiallyCompleted", "Cancelled", "Cancelled"]);
    expect(done.numbers.map((number) => reasonOfNumber(number)?.code)).toEqual(["CANCELLED", "CANCELLED", "CANCELLED"]);
  });

  test("a number that moved after all is ours, whatever was refused before", () => {
    const { order: done, steps } = foldAll(order([NUMBERS[0]]), [
      says(1, { kind: "rejected", reason }),
      says(2, { kind: "messagingMoved" }),
      says(3, { kind: "voiceMoved" }),
    ]);
    expect(steps.map(({ status }) => status)).toEqual(["Submitted", "Failed", "PartiallyCompleted", "Completed"]);
    expect(reasonOfOrder(done)).toBeNull();
  });

  test("tells of numbers that are not its own, and changes none of them", () => {
    const step = foldPortUpdate(order(), says(1, { kind: "cancelled" }, ["+19995550100"]));
    expect(step).toEqual({ order: { ...order(), sequence: 1 }, unknownNumbers: ["+19995550100"] });
  });

  test("takes no updates of another", () => {
    const foreign = { ...says(1, { kind: "cancelled" }), orderSid: `PO${"1".repeat(32)}` };
    expect(() => foldPortUpdate(order(), foreign)).toThrow("was given to");
  });
});

const anyReason = fc
  .tuple(fc.constantFrom(...PORT_REASON_CODES), fc.option(fc.constantFrom("", "a", "b")))
  .map(([code, detail]) => ({ code, detail }));
const anyChange: fc.Arbitrary<PortChange> = fc.oneof(
  fc.record({ kind: fc.constant("submitted" as const) }),
  fc.record({ kind: fc.constant("exception" as const), reason: anyReason }),
  fc.record({ kind: fc.constant("foc" as const), on: fc.integer({ min: 1, max: 5 }).map(day) }),
  fc.record({ kind: fc.constantFrom("voiceMoved" as const, "messagingMoved" as const, "cancelled" as const) }),
  fc.record({ kind: fc.constant("rejected" as const), reason: anyReason }),
);
/** Includes contradictions, and different updates with the same sequence. */
const anyNews: fc.Arbitrary<PortUpdate> = fc.record({
  orderSid: fc.constant(SID),
  sequence: fc.integer({ min: 1, max: 6 }),
  at: fc.integer({ min: 1, max: 6 }).map(day),
  numbers: fc.oneof(fc.constant("all" as const), fc.subarray([...NUMBERS])),
  change: anyChange,
});

describe("whatever is said of an order", () => {
  test("in whatever order and however often it comes, the order ends the same", () => {
    const arrivals = fc
      .array(anyNews, { maxLength: 12 })
      .chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray([...all, ...all], { minLength: 0 })));
    fc.assert(
      fc.property(arrivals, fc.infiniteStream(fc.nat()), ([all, some], chances) => {
        // All of it at least once, in another order, with some repeated.
        const mixed = [...all, ...some]
          .map((updates) => ({ updates, place: chances.next().value as number }))
          .sort((left, right) => left.place - right.place)
          .map(({ updates }) => updates);
        expect(foldAll(order(), mixed).order).toEqual(foldAll(order(), all).order);
      }),
      { numRuns: 500 },
    );
  });

  test("what was told already changes nothing", () => {
    fc.assert(
      fc.property(fc.array(anyNews, { minLength: 1, maxLength: 12 }), (all) => {
        const once = foldAll(order(), all);
        const twice = foldAll(once.order, all);
        expect(twice.order).toEqual(once.order);
      }),
    );
  });

  test("statuses move as the tables say, and closed ones never open", () => {
    fc.assert(
      fc.property(fc.array(anyNews, { maxLength: 20 }), (all) => {
        const { order: end, steps } = foldAll(order(), all);
        for (const [at, after] of steps.entries()) {
          const before = steps[at - 1] ?? after;
          if (before.status !== after.status) expect(PORT_ORDER_MOVES[before.status]).toContain(after.status);
          if (!isOpen(before)) expect(isOpen(after)).toBe(false);
          for (const [place, { status }] of after.numbers.entries()) {
            const from = before.numbers[place]?.status ?? status;
            if (from !== status) expect(PORT_NUMBER_MOVES[from]).toContain(status);
          }
        }
        expect(end.status).toBe(orderStatusOf(end.numbers));
      }),
      { numRuns: 500 },
    );
  });
});

test("an order is saved only where the tables lead", () => {
  const at = (status: "Submitted" | "Completed") => ({ status, numbers: [{ status }] });
  expect(mayBecome(at("Submitted"), at("Completed"))).toBe(true);
  expect(mayBecome(at("Completed"), at("Completed"))).toBe(true);
  expect(mayBecome(at("Completed"), at("Submitted"))).toBe(false);
  expect(mayBecome(at("Completed"), { ...at("Submitted"), status: "Completed" })).toBe(false);
});

test("reasons are known in any spelling, and unknown ones are kept as they were said", () => {
  expect(portReasonOf("account-number mismatch", "x")).toEqual({ code: "ACCOUNT_NUMBER_MISMATCH", detail: "x" });
  expect(portReasonOf("7399", null)).toEqual({ code: "OTHER", detail: "7399" });
  expect(portReasonOf("toString", "odd")).toEqual({ code: "OTHER", detail: "toString: odd" });
});
