// Links that the operator stops and starts, whichever process holds them, the routes over them, and what metrics and
// /readyz report about them, including a trunk that is down.

import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ownPort } from "../own-port.ts";
import { callsTo, json, type Tandem } from "../tandem.ts";
import { startBeside } from "../tandem-database.ts";
import { newAccount } from "./account.ts";
import { type Carrier, startCarrier } from "./carrier.ts";
import { inAnHour, messageOf, newMessenger, newSender, send, UNTIL } from "./messages.ts";
import { answerOf, type List, newNumber, take } from "./numbers.ts";
import { problemOf } from "./problem.ts";

const SOMEBODY = "+12125560001";

let carrier: Carrier;
let other: Tandem;
let folder: string;
/** Occupies the port that the other process needs. */
const occupier = createServer();

beforeAll(async () => {
  carrier = await startCarrier();
  folder = mkdtempSync(join(tmpdir(), "tandem-links-"));
  const port = await ownPort();
  await once(occupier.listen(port, "127.0.0.1"), "listening");
  const smpp = { name: "own", host: "127.0.0.1", port: carrier.smsc.port, systemId: "tandem", password: "secret" };
  const mm4 = {
    ...{ name: "own-mms", host: "127.0.0.1", port: 1, ourHost: "us.example", peerHost: "them.example" },
    listen: { port, allowedNetworks: ["127.0.0.0/8"] },
  };
  const file = join(folder, "tandem.config.json");
  const carriers = [
    { name: "own", smpp: [smpp], mm4: [mm4] },
    { name: "spare", smpp: [{ ...smpp, name: "spare", port: 1 }] },
  ];
  const routes = [{ destinations: ["+44"], to: [{ carrier: "spare", weight: 3 }, { carrier: "own" }] }];
  const far = { name: "far", host: "127.0.0.1", port: 1, transport: "tcp", sources: ["127.0.0.1"] };
  const sip = { sourceAddresses: ["127.0.0.2", "127.0.0.3"], trunks: [far] };
  writeFileSync(file, JSON.stringify({ carriers, routes, sip }));
  const beside = await startBeside(carrier.tandem, { TANDEM_LOG_LEVEL: "error", TANDEM_CONFIG: file });
  const { operatorToken } = carrier.tandem;
  other = { ...beside, ...callsTo({ ...beside, operatorToken }) };
});
afterAll(async () => {
  await other?.stop();
  await carrier?.close();
  occupier.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Link {
  readonly name: string;
  readonly state: string;
  readonly reason: string;
  readonly since: string;
  readonly stoppedOn: string | null;
}

const linkOf = async (tandem: Tandem, wanted = "own") => {
  const { items } = await answerOf<List<Link>>(await tandem.operator("/operator/v1/Links"), 200);
  return items.find(({ name }) => name === wanted);
};
const readyzOf = async (tandem: Tandem) => (await fetch(`${tandem.url}/readyz`)).json();
const metricsOf = async (tandem: Tandem) => (await fetch(`${tandem.url}/metrics`)).text();
const change = (tandem: Tandem, name: string, verb: string) =>
  tandem.operator(`/operator/v1/Links/${name}/${verb}`, { method: "POST" });

interface Route {
  readonly name: string;
  readonly kind: string;
  readonly ways: readonly { readonly name: string }[];
}

const routesOf = async (tandem: Tandem) =>
  (await answerOf<List<Route>>(await tandem.operator("/operator/v1/Routes"), 200)).items;

test("the routes tell in order which links and trunks carry what, and what each takes while others are down", async () => {
  const way = (name: string, carrier: string | null, share: number, more: object) => ({
    ...{ name, carrier, priority: null, share, shareNow: share, state: "unknown", isUp: null },
    ...more,
  });
  const bound = { state: "bound", isUp: true };
  const any = { senders: [], destinations: [], carriers: [] };
  await expect
    .poll(() => routesOf(other), UNTIL)
    .toEqual([
      {
        ...{ ...any, name: "route 1", kind: "sms", destinations: ["+44"] },
        ways: [way("spare", "spare", 0.75, {}), way("own", "own", 0.25, bound)],
      },
      { ...any, name: "route 1", kind: "mms", destinations: ["+44"], ways: [way("own-mms", "own", 1, {})] },
      { ...any, name: "any", kind: "sms", ways: [way("own", "own", 0.5, bound), way("spare", "spare", 0.5, {})] },
      { ...any, name: "any", kind: "mms", ways: [way("own-mms", "own", 1, {})] },
      {
        ...{ ...any, name: "any", kind: "voice" },
        ways: [way("far", null, 1, { priority: 10, shareNow: 0, state: "down", isUp: false })],
      },
    ]);
  await answerOf(await change(other, "spare", "stop"), 200);
  await expect
    .poll(async () => (await routesOf(other))[0]?.ways, UNTIL)
    .toEqual([
      way("spare", "spare", 0.75, { shareNow: 0, state: "stopped", isUp: false }),
      way("own", "own", 0.25, { ...bound, shareNow: 1 }),
    ]);
  await answerOf(await change(other, "spare", "start"), 200);
});

test("a trunk that is down is reported and leaves the server ready, and no simulated one takes its place", async () => {
  const far = "127.0.0.1:1 refused the connection: nothing listens there for TCP.";
  const isDown = { status: "ready", trunks: { far } };
  await expect.poll(() => readyzOf(other), UNTIL).toMatchObject(isDown);
  expect((await fetch(`${other.url}/readyz`)).status).toBe(200);
  expect(other.output()).toContain("not simulated by the sandbox: carriers, SIP. Messages are real");
  const trunkOf = async (tandem: Tandem) => {
    const { items } = await answerOf<List<{ name: string }>>(await tandem.operator("/operator/v1/Trunks"), 200);
    return items.find(({ name }) => name === "far");
  };
  const seen = { isUp: false, reason: far, calls: 0, registration: null };
  const isKnown = { ...seen, name: "far", nodes: [{ ...seen, host: hostname() }] };
  for (const tandem of [other, carrier.tandem]) await expect.poll(() => trunkOf(tandem), UNTIL).toMatchObject(isKnown);
  const account = await newAccount(other, { features: ["voice"] });
  const number = await newNumber(other);
  await take(account, number);
  const call = json("POST", { from: SOMEBODY, to: number });
  const emulated = await problemOf(await account.call("/testkit/v1/Emulate/inbound-call", call), 409);
  expect(emulated.detail).toContain("not a simulated one");
});

test("a stopped link stays stopped in every process, messages wait for it, and it goes on when it is started", async () => {
  const { tandem: first, database, smsc } = carrier;
  await expect.poll(() => linkOf(first), UNTIL).toMatchObject({ state: "bound", stoppedOn: null });
  expect(await readyzOf(first)).toMatchObject({ sending: "here", links: { own: "bound" } });
  expect(await readyzOf(other)).toMatchObject({ sending: "elsewhere", links: {} });
  await expect
    .poll(() => linkOf(other), UNTIL)
    .toMatchObject({ state: "bound", asOf: expect.stringMatching(/Z$/), window: 10, inFlight: 0 });
  const untold = async () => {
    await database.query("update told_links set told_at = told_at - interval '1 minute'");
    return linkOf(other);
  };
  await expect.poll(untold, UNTIL).toMatchObject({ state: "unknown", reason: "no process tells of it" });

  const unknown = await problemOf(await change(other, "west", "stop"), 404);
  expect(unknown.detail).toBe("There is no carrier link west.");
  const stopped = await answerOf<Link>(await change(other, "own", "stop"), 200);
  expect(stopped).toEqual({ name: "own", carrier: "own", kind: "sms", stoppedOn: expect.stringMatching(/Z$/) });
  expect(await answerOf(await change(other, "own", "stop"), 200)).toEqual(stopped);
  for (const tandem of [first, other]) {
    await expect.poll(() => linkOf(tandem), UNTIL).toMatchObject({ state: "stopped", stoppedOn: stopped.stoppedOn });
  }
  const { binds } = smsc.counts;
  const since = (await linkOf(first))?.since ?? "";
  expect(Date.parse(since)).toBeGreaterThanOrEqual(Date.parse(stopped.stoppedOn ?? ""));
  expect((await linkOf(other))?.since).toBe(since);
  const { items } = await answerOf<List<object>>(await other.operator("/operator/v1/AuditLog?Subject=own"), 200);
  expect(items).toMatchObject([{ action: "stopLink" }, { action: "stopLink" }]);

  const account = await newMessenger(other);
  const sender = await newSender(other, database, account);
  const { sid } = await send(account, { From: sender.number, To: SOMEBODY, Text: "Wait for it" });
  // Makes the message an hour overdue, and a reconcile an hour old.
  await database.query("update outbound_queue set due_at = due_at - interval '1 hour' where sid = $1", [sid]);
  await database.query(
    "insert into reconciles select 'gone', at, at, 'Done', '{}' from (select now() - interval '1 hour') as ago (at)",
  );
  await send(account, { From: sender.number, To: SOMEBODY, Text: "Not today", SendAt: inAnHour() });
  await expect.poll(() => metricsOf(first), UNTIL).toContain('tandem_message_queue_depth{when="later"} 1\n');
  const metrics = await metricsOf(first);
  expect(metrics).toContain('tandem_message_queue_depth{when="now"} 1\n');
  expect(metrics).toMatch(/^tandem_message_oldest_due_seconds 3[6-9]\d\d/m);
  const queue = { due: 1, oldestSeconds: expect.toSatisfy((seconds: number) => seconds >= 3_600) };
  expect(await readyzOf(first)).toMatchObject({ queue });
  expect(metrics).toContain('tandem_link_up{link="own",carrier="own",kind="sms"} 0\n');
  expect(metrics).toContain('tandem_link_state{link="own",state="stopped"} 1\n');
  expect(metrics).toContain(`tandem_link_since_timestamp_seconds{link="own"} ${Date.parse(since) / 1000}\n`);
  expect(metrics).toMatch(/^tandem_reconcile_age_seconds\{reconcile="activate-numbers"\} \d/m);
  expect(metrics).toMatch(/^tandem_reconcile_age_seconds\{reconcile="gone"\} 3[6-9]\d\d/m);

  // The other process takes over once it can read which links are stopped, although its port for MMS is in use.
  await database.query("alter table stopped_links rename to stopped_links_away");
  await first.kill();
  await expect.poll(() => readyzOf(other), UNTIL).toMatchObject({ status: "ready", sending: "failed", links: {} });
  await database.query("alter table stopped_links_away rename to stopped_links");
  await expect
    .poll(() => readyzOf(other), UNTIL)
    .toMatchObject({
      ...{ sending: "here", links: { own: "stopped", "own-mms": "down" } },
    });
  expect((await linkOf(other, "own-mms"))?.reason).toContain("EADDRINUSE");
  expect(await messageOf(account, sid)).toMatchObject({ status: "Queued" });
  expect(smsc.received.filter(({ to }) => to === SOMEBODY)).toEqual([]);
  // It has not bound even briefly.
  expect(smsc.counts.binds).toBe(binds);

  expect(await answerOf(await change(other, "own", "start"), 200)).toMatchObject({ name: "own", stoppedOn: null });
  await expect.poll(() => messageOf(account, sid), UNTIL).toMatchObject({ status: "Delivered" });
  expect(smsc.received.filter(({ to }) => to === SOMEBODY)).toHaveLength(1);
  expect(await linkOf(other)).toMatchObject({ state: "bound", stoppedOn: null });
  await smsc.deliver({ from: SOMEBODY, to: sender.number, text: "It came" });
  await new Promise((resolve) => occupier.close(resolve));
  await expect.poll(async () => (await linkOf(other, "own-mms"))?.reason, UNTIL).not.toContain("EADDRINUSE");
  const after = await metricsOf(other);
  expect(after).toContain('tandem_inbound_messages_total{link="own",kind="sms"} 1\n');
  expect(after).toContain('tandem_receipts_total{carrier="own",state="delivered"} 1\n');
});

test("what is given besides the name is refused", async () => {
  const answer = await other.operator("/operator/v1/Links/own/start", json("POST", { force: true }));
  expect((await problemOf(answer, 400)).errors).toHaveProperty("force");
});
