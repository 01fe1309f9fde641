import { beforeEach, describe, expect, test } from "vitest";
import { VirtualClock } from "../../../test/fakes/virtual-clock.ts";
import { Unavailable } from "../../base/unavailable.ts";
import type { NewEvent } from "../events.ts";
import type { PhoneStore, ServedPhone } from "../numbers/index.ts";
import type { UpdateDeps } from "./apply-update.ts";
import { applyPortUpdates, type FollowDeps, followPorts } from "./follow-ports.ts";
import { newPortOrder, type PortDetails } from "./port-order.ts";
import type { PortChange, PortUpdate } from "./port-update.ts";
import type {
  PortingGateway,
  PortOrderStore,
  PortReply,
  PortRequest,
  PortRequestKind,
  PortUpdatePage,
  StoredPortOrder,
} from "./ports.ts";

const NUMBER = "+14155550100";
const reason = { code: "LOCATION_MISMATCH", detail: null } as const;

const clock = new VirtualClock();
let orders: Map<string, StoredPortOrder>;
let requests: (PortRequest & { dueMs: number })[];
let cursor: string | undefined;
let askMs: number;
let events: NewEvent[];
let warnings: string[];
let said: string[];
let reply: (request: PortRequestKind, sid: string) => PortReply;
let pages: PortUpdatePage[];
let isLost: boolean;

beforeEach(() => {
  clock.nowMs = Date.UTC(2026, 0, 31);
  orders = new Map();
  requests = [];
  cursor = undefined;
  askMs = 0;
  events = [];
  warnings = [];
  said = [];
  reply = (_request, sid) => ({ kind: "taken", updates: [updates(sid, 1, { kind: "submitted" })] });
  pages = [];
  isLost = false;
});

const sidOf = (n: number) => `PO${String(n).padStart(32, "0")}`;

function updates(
  sid: string,
  sequence: number,
  change: PortChange,
  numbers: readonly string[] | "all" = "all",
): PortUpdate {
  return { orderSid: sid, sequence, at: clock.now(), numbers, change };
}

function newOrder(n = 1, kind: PortRequestKind = "submit"): string {
  const sid = sidOf(n);
  const order = newPortOrder({
    sid,
    accountSid: `AC${n}`,
    messagingConfigSid: "MC1",
    numbers: [NUMBER],
    details: {} as PortDetails,
    createdOn: clock.now(),
  });
  orders.set(sid, { ...order, documents: [], requests: [], refusedRequest: null, updatedOn: order.createdOn });
  requests.push({ id: String(requests.length + 1), orderSid: sid, kind, failures: 0, dueMs: clock.nowMs });
  return sid;
}

const orderOf = (sid: string) => orders.get(sid) as StoredPortOrder;

const portOrders: Partial<PortOrderStore> = {
  find: async (sid) => orders.get(sid),
  ownersOf: async (sids) =>
    sids.flatMap((sid) => (orders.has(sid) ? [{ sid, accountSid: orderOf(sid).accountSid }] : [])),
  async save(before, after) {
    orders.set(before.sid, { ...orderOf(before.sid), ...after });
  },
  async noteRefusedRequest(sid, refusedRequest) {
    orders.set(sid, { ...orderOf(sid), refusedRequest });
  },
  async endRequest(id) {
    const left = requests.filter((request) => request.id !== id);
    const isOurs = left.length < requests.length;
    requests = left;
    return isOurs;
  },
  async saveCursor(given) {
    cursor = given;
  },
};

const phones: Partial<PhoneStore> = {
  lockAccount: async () => undefined,
  states: async () => [] as ServedPhone[],
};

const unit: UpdateDeps = {
  portOrders: portOrders as PortOrderStore,
  phones: phones as PhoneStore,
  outbox: { emit: async (list) => void events.push(...list) },
  heldMessages: { release: async () => undefined, fail: async () => undefined },
  activationMs: 0,
};

const answer = async (request: PortRequestKind, sid: string): Promise<PortReply> => {
  said.push(`${request} ${Number(sid.slice(2))}`);
  if (isLost) throw new Unavailable("no answer");
  return reply(request, sid);
};
const gateway: PortingGateway = {
  submit: ({ sid }) => answer("submit", sid),
  supplement: ({ sid }) => answer("supplement", sid),
  cancel: ({ sid }) => answer("cancel", sid),
  async updates(after) {
    said.push(`updates ${after ?? "-"}`);
    if (isLost) throw new Unavailable("no answer");
    return pages.shift() ?? { updates: [], cursor: after, more: false };
  },
  close: async () => undefined,
};

const deps: FollowDeps = {
  gateway,
  queue: {
    async claimRequests(until, countMax, now) {
      const first = (request: PortRequest) =>
        requests.find(({ orderSid }) => orderSid === request.orderSid) === request;
      const due = requests.filter((request) => request.dueMs <= now.getTime() && first(request)).slice(0, countMax);
      for (const request of due) request.dueMs = until.getTime();
      return due;
    },
    async putOff({ id }, until) {
      requests = requests.map((request) =>
        request.id === id ? { ...request, failures: request.failures + 1, dueMs: until.getTime() } : request,
      );
    },
    hold: (_request, work) => work(),
    submissionOf: async (sid) => ({ order: orderOf(sid), pins: new Map(), documents: [] }),
    async claimUpdates(nextOn, now) {
      if (now.getTime() < askMs) return undefined;
      askMs = nextOn.getTime();
      return { cursor };
    },
  },
  transaction: (work) => work(unit),
  clock,
  log: {
    debug: () => undefined,
    info: () => undefined,
    warn: (_, fact) => warnings.push(fact),
    error: () => undefined,
  },
  updatesEveryMs: 60_000,
};

const pass = () => followPorts(deps);
const statuses = () => events.map(({ fields }) => (fields as { Status: string }).Status);

describe("what is to be said", () => {
  test("is said once, and then there is nothing more to do", async () => {
    const sid = newOrder();
    expect(await pass()).toStrictEqual({ requests: 1, putOff: 0, updates: 0 });
    expect(await pass()).toStrictEqual({ requests: 0, putOff: 0, updates: 0 });
    expect(said).toStrictEqual(["submit 1", "updates -"]);
    expect(orderOf(sid).sequence).toBe(1);
  });

  test("of one order is said in turn", async () => {
    const sid = newOrder();
    requests.push({ id: "9", orderSid: sid, kind: "cancel", failures: 0, dueMs: clock.nowMs });
    reply = (request) => ({
      kind: "taken",
      updates: request === "cancel" ? [updates(sid, 2, { kind: "cancelled" })] : [],
    });
    await pass();
    expect(said.slice(0, 2)).toStrictEqual(["submit 1", "cancel 1"]);
    expect(orderOf(sid).status).toBe("Cancelled");
  });

  test("without an answer is said again after a while, with growing pauses", async () => {
    newOrder();
    isLost = true;
    await expect(pass()).rejects.toThrow("no answer");
    expect(await pass(), "not yet").toStrictEqual({ requests: 0, putOff: 0, updates: 0 });
    clock.nowMs += 2_000;
    await expect(pass()).rejects.toThrow("no answer");
    clock.nowMs += 2_000;
    expect(await pass(), "not yet").toStrictEqual({ requests: 0, putOff: 0, updates: 0 });
    isLost = false;
    clock.nowMs += 2_000;
    expect(await pass()).toMatchObject({ requests: 1 });
  });

  test("of one order without an answer does not hold up the others", async () => {
    for (let n = 1; n <= 9; n++) newOrder(n);
    reply = (_request, sid) => {
      if (sid === sidOf(3)) throw new Unavailable("only this one");
      return { kind: "taken", updates: [] };
    };
    await expect(pass()).rejects.toThrow("only this one");
    expect(requests.map(({ orderSid }) => orderSid)).toStrictEqual([sidOf(3)]);
  });

  test("is not said of an order that is closed", async () => {
    const sid = newOrder();
    await applyPortUpdates(deps, [updates(sid, 1, { kind: "rejected", reason })]);
    await pass();
    expect(said).toStrictEqual(["updates -"]);
    expect(requests).toStrictEqual([]);
  });

  test("counts for whoever was first, when two have said it", async () => {
    const sid = newOrder();
    reply = () => {
      requests = [];
      return { kind: "refused", reason };
    };
    await pass();
    expect(orderOf(sid).status).toBe("Submitted");
  });
});

describe("an order that is refused", () => {
  test("when it is submitted has failed, with the reason", async () => {
    const sid = newOrder();
    reply = () => ({ kind: "refused", reason });
    await pass();
    expect(orderOf(sid).status).toBe("Failed");
    expect(events).toMatchObject([
      { fields: { Status: "Failed", Reason: expect.stringContaining("LOCATION_MISMATCH") } },
    ]);
  });

  test.each(["cancel", "supplement"] as const)(
    "when it comes to %s goes on, and says what was refused",
    async (kind) => {
      const sid = newOrder(1, kind);
      reply = () => ({ kind: "refused", reason });
      await pass();
      expect(orderOf(sid)).toMatchObject({ status: "Submitted", refusedRequest: { kind, reason } });
      expect(requests).toStrictEqual([]);
    },
  );
});

describe("an order that is not known there", () => {
  test("is cancelled by that", async () => {
    const sid = newOrder(1, "cancel");
    reply = () => ({ kind: "unknown" });
    await pass();
    expect(orderOf(sid).status).toBe("Cancelled");
  });

  test("is submitted when its exception is answered", async () => {
    newOrder(1, "supplement");
    reply = (request) => (request === "supplement" ? { kind: "unknown" } : { kind: "taken", updates: [] });
    await pass();
    expect(said.slice(0, 2)).toStrictEqual(["supplement 1", "submit 1"]);
  });

  test("although it was just submitted is submitted again", async () => {
    newOrder();
    reply = () => ({ kind: "unknown" });
    await expect(pass()).rejects.toThrow("does not know an order");
    expect(requests).toHaveLength(1);
  });
});

describe("updates", () => {
  test("is read page by page, from where it was, and asked for again when it is time", async () => {
    const [first, second] = [newOrder(1), newOrder(2)];
    requests = [];
    pages = [
      {
        updates: [updates(first, 1, { kind: "voiceMoved" }), updates(second, 1, { kind: "cancelled" })],
        cursor: "a",
        more: true,
      },
      { updates: [updates(first, 2, { kind: "messagingMoved" })], cursor: "b", more: false },
    ];
    expect(await pass()).toMatchObject({ updates: 3 });
    expect([orderOf(first).status, orderOf(second).status]).toStrictEqual(["Completed", "Cancelled"]);
    await pass();
    clock.nowMs += 60_000;
    await pass();
    expect(said).toStrictEqual(["updates -", "updates a", "updates b"]);
    expect(cursor).toBe("b");
  });

  test("repeated changes nothing and is not reported", async () => {
    const sid = newOrder();
    const all = [updates(sid, 1, { kind: "foc", on: clock.now() }), updates(sid, 2, { kind: "rejected", reason })];
    await applyPortUpdates(deps, all);
    await applyPortUpdates(deps, all);
    await applyPortUpdates(deps, all.toReversed());
    expect(statuses()).toStrictEqual(["FocConfirmed", "Failed"]);
  });

  test("that both halves have moved is one step", async () => {
    const sid = newOrder();
    await applyPortUpdates(deps, [
      updates(sid, 1, { kind: "voiceMoved" }),
      updates(sid, 2, { kind: "messagingMoved" }),
    ]);
    expect(statuses()).toStrictEqual(["Completed"]);
  });

  test("of what we do not know is left, and written down", async () => {
    const sid = newOrder();
    await applyPortUpdates(deps, [
      updates(sidOf(7), 1, { kind: "cancelled" }),
      updates(sid, 1, { kind: "cancelled" }, ["+19995550100"]),
    ]);
    expect(orderOf(sid).status).toBe("Submitted");
    expect(warnings).toStrictEqual([
      "updates of numbers that the port order has not",
      "updates of an unknown port order",
    ]);
  });

  test("that a number has moved which was given up is written down", async () => {
    const sid = newOrder();
    await applyPortUpdates(deps, [updates(sid, 1, { kind: "rejected", reason })]);
    await applyPortUpdates(deps, [updates(sid, 2, { kind: "messagingMoved" })]);
    expect(orderOf(sid).status).toBe("PartiallyCompleted");
    expect(warnings).toStrictEqual(["numbers moved that wait no longer"]);
  });
});
