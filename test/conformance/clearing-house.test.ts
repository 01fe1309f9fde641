// Our client against the sandbox's clearing house over real HTTP, with the domain between them: each understands what
// the other sends.

import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { verifyClearingHouseNotification } from "../../src/adapters/clearing-house/notification.ts";
import { makePorting, portingSettings } from "../../src/adapters/clearing-house/porting-settings.ts";
import { systemClock } from "../../src/base/clock.ts";
import { answerException } from "../../src/domain/porting/answer-port.ts";
import {
  type PortDocument,
  type PortOrder,
  type PortReply,
  type PortUpdate,
  reasonOfOrder,
} from "../../src/domain/porting/index.ts";
import { newPortOrder } from "../../src/domain/porting/port-order.ts";
import { foldPortUpdate } from "../../src/domain/porting/port-update.ts";
import { ClearingHouse } from "../../src/sandbox/clearing-house/clearing-house.ts";
import type { Outcome } from "../../src/sandbox/clearing-house/port-plan.ts";
import { silent as log } from "../fakes/silent-log.ts";

const SECRET = "between-the-two";
const HOUR_MS = 3_600_000;
const NUMBERS = ["+14155550100", "+14155550101"];

const bytes = Buffer.from("%PDF-1.7 a letter of authorization");
const letter: PortDocument = {
  name: "loa.pdf",
  contentType: "application/pdf",
  sha256: createHash("sha256").update(bytes).digest("hex"),
  bytes,
};

const fresh = newPortOrder({
  sid: `PO${"0".repeat(32)}`,
  accountSid: `AC${"0".repeat(32)}`,
  messagingConfigSid: `MC${"0".repeat(32)}`,
  numbers: NUMBERS,
  createdOn: new Date(),
  details: {
    losingCarrier: null,
    accountNumber: "A-1",
    billingTelephoneNumber: null,
    subscriber: { type: "Business", name: "Example Inc.", authorizedPerson: "Ann Example" },
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

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function world(portMs = HOUR_MS) {
  const options = { host: "127.0.0.1", port: 0, token: "our-token", secret: SECRET, portMs, log };
  const house = await ClearingHouse.listen(options);
  const settings = portingSettings.parse({
    kind: "http",
    baseUrl: house.url,
    token: "our-token",
    webhookSecret: SECRET,
  });
  const { gateway } = makePorting(settings, { log, clock: systemClock, secret: () => undefined });
  closers.push(
    () => house.close(),
    () => gateway.close(),
  );
  return { house, gateway };
}

const fold = (order: PortOrder, news: readonly PortUpdate[]) =>
  news.reduce((folded, item) => foldPortUpdate(folded, item).order, order);

function newsOf(reply: PortReply): readonly PortUpdate[] {
  if (reply.kind !== "taken") throw new Error(`the order was not taken: ${JSON.stringify(reply)}`);
  return reply.updates;
}

describe("an order at the clearing house", () => {
  test.each<[Outcome, string, readonly string[]]>([
    ["complete", "Completed", ["Completed", "Completed"]],
    ["partial", "PartiallyCompleted", ["Completed", "Failed"]],
    ["reject", "Failed", ["Failed", "Failed"]],
    ["exception", "Exception", ["Exception", "Exception"]],
    ["delay", "Submitted", ["Submitted", "Submitted"]],
    ["focChange", "FocConfirmed", ["FocConfirmed", "FocConfirmed"]],
    ["messagingLate", "FocConfirmed", ["Activating", "Activating"]],
    ["silent", "Submitted", ["Submitted", "Submitted"]],
  ])("that ends as %s is %s here", async (outcome, status, numbers) => {
    const { house, gateway } = await world();
    const taken = fold(fresh, newsOf(await gateway.submit(fresh, new Map(), [letter])));
    expect(house.decide(fresh.sid, { outcome })).toMatchObject({ ok: true });
    const page = await gateway.updates(undefined);
    const order = fold(taken, page.updates);
    expect(order.status).toBe(status);
    expect(order.numbers.map((number) => number.status)).toEqual(numbers);
    expect(await gateway.updates(page.cursor)).toEqual({ updates: [], cursor: page.cursor, more: false });
  });

  test("submitted again, as after a lost answer, is the same order", async () => {
    const { house, gateway } = await world();
    const first = await gateway.submit(fresh, new Map([[NUMBERS[0] as string, "1234"]]), [letter]);
    house.decide(fresh.sid, { outcome: "reject", reason: "ENTITY_NAME_MISMATCH" });
    const again = await gateway.submit(fresh, new Map([[NUMBERS[0] as string, "1234"]]), [letter]);
    expect(newsOf(again).slice(0, 1)).toEqual(newsOf(first));
    expect(reasonOfOrder(fold(fresh, newsOf(again)))?.code).toBe("ENTITY_NAME_MISMATCH");
    expect((await gateway.updates(undefined)).updates).toHaveLength(2);
  });

  test("with a wrong PIN is held up, answered once however often the answer is sent, and goes on", async () => {
    const { house, gateway } = await world();
    const pins = new Map([[NUMBERS[1] as string, "0000"]]);
    const taken = fold(fresh, newsOf(await gateway.submit(fresh, pins, [letter])));
    house.decide(fresh.sid, { outcome: "exception", reason: "PASSCODE_PIN_INVALID" });
    const held = fold(taken, (await gateway.updates(undefined)).updates);
    const answer = answerException(held, { details: { accountNumber: "A-2" }, pins: new Map() });
    if (!answer.ok) throw new Error(answer.refusal.detail);
    const right = new Map([[NUMBERS[1] as string, "1234"]]);
    const replies = [
      await gateway.supplement(answer.value, right, [letter]),
      await gateway.supplement(answer.value, right, [letter]),
    ];
    expect(newsOf(replies[1] as PortReply)).toEqual(newsOf(replies[0] as PortReply));
    expect(fold(answer.value, newsOf(replies[1] as PortReply)).status).toBe("Submitted");
    house.decide(fresh.sid, { outcome: "complete" });
    expect(fold(answer.value, (await gateway.updates(undefined)).updates).status).toBe("Completed");
  });

  test("is cancelled while it can be", async () => {
    const { house, gateway } = await world();
    expect(await gateway.cancel(fresh)).toEqual({ kind: "unknown" });
    const taken = fold(fresh, newsOf(await gateway.submit(fresh, new Map(), [letter])));
    const cancelled = fold(taken, newsOf(await gateway.cancel(taken)));
    expect(cancelled.status).toBe("Cancelled");
    expect(fold(taken, newsOf(await gateway.cancel(taken)))).toEqual(cancelled);
    const other = { ...fresh, sid: `PO${"1".repeat(32)}` };
    await gateway.submit(other, new Map(), [letter]);
    house.decide(other.sid, { outcome: "complete" });
    expect(await gateway.cancel(other)).toMatchObject({ kind: "refused", reason: { code: "OTHER" } });
  });

  test("without a document is refused with what is missing", async () => {
    const { gateway } = await world();
    expect(await gateway.submit(fresh, new Map(), [])).toMatchObject({
      kind: "refused",
      reason: { detail: expect.stringContaining("documents") },
    });
  });
});

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

async function ear() {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: Buffer.concat(await request.toArray()) });
    response.writeHead(204).end();
    server.emit("heard");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  closers.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
  const heard = async (count: number) => {
    while (received.length < count) await once(server, "heard");
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, received, heard };
}

const verify = ({ headers, body }: Received, change: { now?: Date; body?: Buffer; secret?: string } = {}) =>
  verifyClearingHouseNotification({ headers, body, secret: SECRET, now: new Date(), ...change });

describe("notifications", () => {
  test("carry an order to its end by themselves, doubled ones too", async () => {
    const { house, gateway } = await world(1);
    const listening = await ear();
    house.notifyTo(listening.url);
    house.treatNotifications("duplicate");
    await gateway.submit(fresh, new Map(), [letter]);
    let order = fresh;
    for (let count = 1; order.status !== "Completed"; count++) {
      await listening.heard(count);
      const verified = verify(listening.received[count - 1] as Received);
      if (!verified.ok) throw new Error(verified.refusal);
      order = fold(order, verified.value.updates);
    }
    expect(order.numbers.map(({ status }) => status)).toEqual(["Completed", "Completed"]);
  });

  test("that were lost are made good by asking", async () => {
    const { house, gateway } = await world();
    const listening = await ear();
    house.notifyTo(listening.url);
    await gateway.submit(fresh, new Map(), [letter]);
    house.treatNotifications("lose");
    house.decide(fresh.sid, { outcome: "complete" });
    expect(fold(fresh, (await gateway.updates(undefined)).updates).status).toBe("Completed");
  });

  test("are refused when forged, changed, or sent again later", async () => {
    const { house, gateway } = await world();
    const listening = await ear();
    house.notifyTo(listening.url);
    await gateway.submit(fresh, new Map(), [letter]);
    await listening.heard(1);
    const [received] = listening.received as [Received];
    expect(verify(received)).toMatchObject({ ok: true });
    expect(verify(received, { secret: "guessed" })).toEqual({ ok: false, refusal: "no-match" });
    const changed = Buffer.from(received.body.toString().replace("submitted", "cancelled"));
    expect(verify(received, { body: changed })).toEqual({ ok: false, refusal: "no-match" });
    expect(verify(received, { now: new Date(Date.now() + HOUR_MS) })).toEqual({ ok: false, refusal: "too-old" });
  });
});
