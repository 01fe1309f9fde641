import { describe, expect, test } from "vitest";
import { answerException } from "./answer-port.ts";
import { cancellableNumbers } from "./cancel-port.ts";
import { manualUpdates, type OperatorAction } from "./move-port.ts";
import { newPortOrder, type PortDetails, type PortOrder } from "./port-order.ts";
import { foldPortUpdate } from "./port-update.ts";

const NUMBERS = ["+14155550100", "+14155550101"];
const NOW = new Date("2026-01-05T12:00:00Z");
const reason = { code: "PASSCODE_PIN_INVALID", detail: null } as const;

const fresh = newPortOrder({
  sid: `PO${"0".repeat(32)}`,
  accountSid: `AC${"0".repeat(32)}`,
  messagingConfigSid: `MC${"0".repeat(32)}`,
  numbers: NUMBERS,
  createdOn: NOW,
  details: { accountNumber: "123", losingCarrier: "Other" } as PortDetails,
});

function doing(order: PortOrder, action: OperatorAction, numbers: readonly string[] | "all" = "all"): PortOrder {
  const updates = manualUpdates(order, action, numbers, NOW);
  if (!updates.ok) throw new Error(updates.refusal.detail ?? updates.refusal.code);
  return updates.value.reduce((folded, item) => foldPortUpdate(folded, item).order, order);
}

const complete: OperatorAction = { kind: "complete", halves: ["voice", "messaging"] };

describe("by hand", () => {
  test("an order is confirmed, completed for one number and rejected for the other", () => {
    const confirmed = doing(fresh, { kind: "foc", on: NOW });
    expect(confirmed.status).toBe("FocConfirmed");
    const half = doing(confirmed, complete, [NUMBERS[0] as string]);
    const done = doing(half, { kind: "reject", reason });
    expect(done.numbers.map(({ status }) => status)).toEqual(["Completed", "Failed"]);
    expect(done.status).toBe("PartiallyCompleted");
  });

  test("messaging may come first, and voice later", () => {
    const half = doing(fresh, { kind: "complete", halves: ["messaging"] });
    expect(half.numbers[0]).toMatchObject({ status: "Activating", messagingMovedOn: NOW, voiceMovedOn: null });
    expect(doing(half, { kind: "complete", halves: ["voice"] }).status).toBe("Completed");
  });

  test("a change that is given later holds, although the first was given in the same moment", () => {
    const held = doing(doing(fresh, { kind: "foc", on: NOW }), { kind: "exception", reason });
    expect(held.status).toBe("Exception");
  });

  test("completing twice is completing once", () => {
    const done = doing(fresh, complete);
    const again = manualUpdates(done, complete, "all", NOW);
    const statuses = (order: PortOrder) => [order.status, ...order.numbers.map(({ status }) => status)];
    const after = again.ok ? again.value.map((updates) => statuses(foldPortUpdate(done, updates).order)) : [];
    expect(after).toEqual([statuses(done), statuses(done)]);
  });

  test.each<[string, PortOrder, OperatorAction, readonly string[] | "all"]>([
    ["rejecting what is here", doing(fresh, complete), { kind: "reject", reason }, NUMBERS],
    ["completing what has failed", doing(fresh, { kind: "reject", reason }), complete, NUMBERS],
    [
      "completing what has failed by half",
      doing(doing(fresh, { kind: "complete", halves: ["voice"] }), { kind: "reject", reason }),
      complete,
      NUMBERS,
    ],
    ["confirming what is done", doing(fresh, complete), { kind: "foc", on: NOW }, "all"],
  ])("%s is refused", (_, order, action, numbers) => {
    expect(manualUpdates(order, action, numbers, NOW)).toMatchObject({ ok: false, refusal: { code: "conflict" } });
  });

  test("numbers that are not of the order are named by their place", () => {
    expect(manualUpdates(fresh, complete, [NUMBERS[0] as string, "+19995550100"], NOW)).toMatchObject({
      refusal: { code: "validation", errors: { "numbers[1]": [expect.stringContaining("not a number of the order")] } },
    });
    expect(manualUpdates(fresh, complete, [], NOW)).toMatchObject({ refusal: { code: "validation" } });
  });
});

describe("an order's owner", () => {
  test("may cancel what has not moved", () => {
    const half = doing(fresh, { kind: "complete", halves: ["voice"] }, [NUMBERS[0] as string]);
    expect(cancellableNumbers(half)).toEqual({ ok: true, value: [NUMBERS[1]] });
    expect(cancellableNumbers(doing(half, { kind: "reject", reason }, [NUMBERS[1] as string]))).toMatchObject({
      refusal: { detail: expect.stringContaining("moved at least in part") },
    });
    expect(cancellableNumbers(doing(fresh, complete))).toMatchObject({
      refusal: { detail: expect.stringContaining("it is Completed") },
    });
  });

  test("may put right what an exception complains of, and only then", () => {
    const answer = { details: { accountNumber: "456" }, pins: new Map() };
    expect(answerException(fresh, answer)).toMatchObject({ ok: false, refusal: { code: "conflict" } });
    const held = doing(fresh, { kind: "exception", reason });
    expect(answerException(held, answer)).toMatchObject({
      value: { status: "Exception", details: { accountNumber: "456", losingCarrier: "Other" } },
    });
  });
});
