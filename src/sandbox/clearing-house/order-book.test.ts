import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { OrderBody } from "./order-body.ts";
import { OrderBook, WRONG_PIN } from "./order-book.ts";
import { OUTCOMES, type Outcome } from "./port-plan.ts";

const PORT_MS = 1000;
const NUMBERS = ["+14155550100", "+14155550101", "+14155550102"];

function body(change: Partial<OrderBody> = {}): OrderBody {
  return {
    reference: "PO1",
    numbers: NUMBERS.map((number) => ({ number })),
    accountNumber: "1",
    subscriber: { type: "Business", name: "Example", authorizedPerson: "Ann" },
    serviceAddress: { street: "1 Main St", city: "Here", state: "CA", postalCode: "94105", country: "US" },
    documents: [{ sha256: "0".repeat(64), name: "loa.pdf", contentType: "application/pdf" }],
    answers: 0,
    ...change,
  };
}

function bookWith(change: Partial<OrderBody> = {}): OrderBook {
  const book = new OrderBook(PORT_MS, []);
  book.submit(body(change), "print", 0);
  return book;
}

const said = (book: OrderBook) =>
  book.updatesAfter(0, 100).map(({ kind, numbers }) => `${kind} ${numbers.map((number) => number.slice(-1)).join("")}`);

describe("an order without a decision", () => {
  test("is confirmed after a while and moves when its time has come", () => {
    const book = bookWith();
    expect(book.nextDueMs).toBe(PORT_MS / 4);
    book.advance(PORT_MS / 4);
    expect(said(book)).toEqual(["submitted 012", "foc 012"]);
    book.advance(PORT_MS);
    expect(said(book).slice(2)).toEqual(["voiceMoved 012", "messagingMoved 012"]);
    expect(book.nextDueMs).toBeUndefined();
  });

  test("submitted twice is one order, and another one under its name is refused", () => {
    const book = bookWith();
    expect(book.submit(body(), "print", 5)).toMatchObject({ ok: true });
    expect(book.submit(body(), "other print", 5)).toMatchObject({ refusal: { status: 409 } });
    expect(said(book)).toEqual(["submitted 012"]);
  });

  test("is held up where a PIN is wrong, until it is put right; an answer given twice is one answer", () => {
    const numbers = NUMBERS.map((number, at) => ({ number, pin: at === 1 ? WRONG_PIN : "1234" }));
    const book = bookWith({ numbers });
    book.advance(PORT_MS);
    expect(said(book)).toEqual(["submitted 012", "exception 1", "foc 02", "voiceMoved 02", "messagingMoved 02"]);
    const answer = body({ answers: 2 });
    expect(book.supplement(answer, PORT_MS)).toMatchObject({ ok: true });
    expect(book.supplement(answer, PORT_MS)).toMatchObject({ ok: true });
    expect(said(book).slice(5)).toEqual(["submitted 1"]);
    book.advance(2 * PORT_MS);
    expect(said(book).slice(6)).toEqual(["foc 1", "voiceMoved 1", "messagingMoved 1"]);
    expect(book.supplement(body({ answers: 9 }), 0)).toMatchObject({ refusal: { status: 409 } });
  });
});

describe("a decision", () => {
  test.each<[Outcome, readonly string[], readonly string[]]>([
    ["complete", ["foc 012", "voiceMoved 012", "messagingMoved 012"], []],
    ["partial", ["foc 01", "voiceMoved 01", "messagingMoved 01", "rejected 2"], []],
    ["reject", ["rejected 012"], []],
    ["exception", ["exception 012"], []],
    ["delay", [], ["foc 012", "voiceMoved 012", "messagingMoved 012"]],
    ["focChange", ["foc 012", "foc 012"], ["voiceMoved 012", "messagingMoved 012"]],
    ["messagingLate", ["foc 012", "voiceMoved 012"], ["messagingMoved 012"]],
    ["silent", [], []],
  ])("%s", (outcome, atOnce, later) => {
    const book = bookWith();
    expect(book.decide("PO1", outcome, undefined, 0)).toMatchObject({ ok: true });
    book.advance(0);
    expect(said(book).slice(1)).toEqual(atOnce);
    book.advance(10 * PORT_MS);
    expect(said(book).slice(1 + atOnce.length)).toEqual(later);
  });

  test("of a part, where there is one number, takes its messaging", () => {
    const book = bookWith({ numbers: [{ number: NUMBERS[0] as string }] });
    book.decide("PO1", "partial", { code: "SV_CONFLICT", detail: null }, 0);
    book.advance(0);
    expect(said(book).slice(1)).toEqual(["foc 0", "voiceMoved 0", "rejected 0"]);
    expect(book.updatesAfter(3, 1)).toMatchObject([{ reason: { code: "SV_CONFLICT" } }]);
  });

  test("comes too late for what is closed, and for an unknown order", () => {
    const book = bookWith();
    book.cancel("PO1", 0);
    expect(book.decide("PO1", "complete", undefined, 0)).toMatchObject({ refusal: { status: 409 } });
    expect(book.decide("PO2", "complete", undefined, 0)).toMatchObject({ refusal: { status: 404 } });
  });
});

describe("a cancellation", () => {
  test("takes what has not moved, is the same twice, and stops what was to come", () => {
    const book = bookWith();
    expect(book.cancel("PO1", 0)).toMatchObject({ ok: true });
    expect(book.cancel("PO1", 1)).toMatchObject({ ok: true });
    book.advance(10 * PORT_MS);
    expect(said(book)).toEqual(["submitted 012", "cancelled 012"]);
  });

  test("comes too late for what has moved", () => {
    const book = bookWith();
    book.advance(PORT_MS);
    expect(book.cancel("PO1", PORT_MS)).toMatchObject({ refusal: { status: 409, code: "TOO_LATE" } });
    expect(book.cancel("PO2", PORT_MS)).toMatchObject({ refusal: { status: 404 } });
  });
});

test("whatever is decided and whenever, news counts up without gaps and nothing is said of what is closed", () => {
  const act = fc.oneof(
    fc.record({ outcome: fc.constantFrom(...OUTCOMES) }),
    fc.constant("cancel" as const),
    fc.constant("answer" as const),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(act, fc.integer({ min: 0, max: 2 * PORT_MS })), { maxLength: 8 }), (acts) => {
      const book = bookWith();
      let nowMs = 0;
      for (const [what, waitMs] of acts) {
        if (what === "cancel") book.cancel("PO1", nowMs);
        else if (what === "answer") book.supplement(body({ answers: book.updateCount }), nowMs);
        else book.decide("PO1", what.outcome, undefined, nowMs);
        nowMs += waitMs;
        book.advance(nowMs);
      }
      const news = book.updatesAfter(0, 1000);
      expect(news.map(({ sequence }) => sequence)).toEqual(news.map((_, at) => at + 1));
      for (const number of NUMBERS) {
        const words = news.filter(({ numbers }) => numbers.includes(number)).map(({ kind }) => kind);
        const closing = words.findIndex((kind) => kind === "rejected" || kind === "cancelled");
        expect(closing === -1 || closing === words.length - 1).toBe(true);
        expect(words.filter((kind) => kind === "voiceMoved").length).toBeLessThanOrEqual(1);
      }
    }),
  );
});

test("what was kept goes on where it was", () => {
  const before = bookWith();
  before.advance(PORT_MS / 4);
  const kept = JSON.parse(JSON.stringify([before.find("PO1")]));
  const after = new OrderBook(PORT_MS, kept);
  expect(after.nextDueMs).toBe(PORT_MS);
  after.advance(PORT_MS);
  expect(said(after)).toEqual(["submitted 012", "foc 012", "voiceMoved 012", "messagingMoved 012"]);
});
