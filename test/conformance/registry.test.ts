// The registry's client against the simulated registry, which share no code except the canonical form of JSON: the
// whole path of a campaign to us.

import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { NotificationReceiver } from "../../src/adapters/registry/notification.ts";
import { RegistryClient, type RegistryClientOptions } from "../../src/adapters/registry/registry-client.ts";
import { systemClock } from "../../src/base/clock.ts";
import { SandboxRegistry, type SandboxRegistryOptions } from "../../src/sandbox/registry/sandbox-registry.ts";
import { silent } from "../fakes/silent-log.ts";
import { VirtualClock } from "../fakes/virtual-clock.ts";

const OURS = { apiKey: "our-key", secret: "our-secret" };
const CAMPAIGN = "C8PWPWB";
const ok = (standing: string) => ({ ok: true, value: { standing, reason: null } });

let registry: SandboxRegistry;
let client: RegistryClient;
let receiver: Receiver;
const closers: (() => Promise<unknown> | unknown)[] = [];

beforeEach(async () => {
  receiver = await startReceiver();
  closers.push(() => receiver.close());
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function open(more: Partial<SandboxRegistryOptions> = {}): Promise<void> {
  registry = await SandboxRegistry.listen({
    port: 0,
    ourCnpId: "STANDEM",
    ours: OURS,
    acceptanceMs: 0,
    notifyRetryMs: 1,
    log: silent,
    ...more,
  });
  closers.push(() => registry.close());
  client = openClient();
  await client.ensureMigrationSupported();
  await client.ensureSubscription(receiver.url);
}

function openClient(more: Partial<RegistryClientOptions> = {}): RegistryClient {
  const opened = new RegistryClient(
    {
      baseUrl: registry.baseUrl,
      ...OURS,
      attemptMs: 10_000,
      deadlineMs: 60_000,
      requestsPerSecond: 15,
      shareWithCnpId: registry.dcaId,
      ...more,
    },
    { clock: systemClock, log: silent },
  );
  closers.push(() => opened.close());
  return opened;
}

interface Receiver {
  readonly url: string;
  /**
   * The next unread result of a notification: `EVENT campaign` when it was accepted, else the reason for the refusal.
   */
  next(): Promise<string>;
  /** Answers the next `times` notifications with 500, before they are checked. */
  refuse(times: number): void;
  close(): Promise<void>;
}

async function startReceiver(): Promise<Receiver> {
  const heard: string[] = [];
  const waiting: ((event: string) => void)[] = [];
  let refusals = 0;
  const hear = (event: string) => {
    const waiter = waiting.shift();
    if (waiter) waiter(event);
    else heard.push(event);
  };
  const server: Server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    if (refusals > 0) {
      refusals -= 1;
      return void response.writeHead(500).end();
    }
    const answer = await door.take(request.headers, body, async () => {});
    hear(answer.ok ? `${answer.value.event} ${answer.value.campaignId}` : answer.refusal);
    response.writeHead(answer.ok || answer.refusal === "replayed" ? 204 : 403).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/registry/v1/notifications`;
  const door = new NotificationReceiver({ secret: OURS.secret, endpoint: url }, systemClock);
  return {
    url,
    next: () =>
      new Promise((resolve) => {
        const event = heard.shift();
        if (event === undefined) waiting.push(resolve);
        else resolve(event);
      }),
    refuse: (times) => {
      refusals = times;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function sweep(): Promise<readonly string[]> {
  const found: string[] = [];
  let place: unknown;
  do {
    const page = await client.list(new Date(), place);
    if (!page.ok) throw new Error(JSON.stringify(page.refusal));
    found.push(...page.value.items.map((it) => `${it.tcrCampaignId} ${it.shownAs}`));
    place = page.value.next;
  } while (place !== undefined);
  return found;
}

/** Declines the campaign as the registry's own site would for us. */
async function decline(): Promise<number> {
  const url = `${registry.baseUrl}/partnerCampaign/${CAMPAIGN}/sharing?rejectionCategory=SAMPLE_MESSAGE&explanation=Why`;
  const authorization = `Basic ${btoa(`${OURS.apiKey}:${OURS.secret}`)}`;
  return (await fetch(url, { method: "DELETE", headers: { authorization } })).status;
}

describe("a campaign's way to us", () => {
  test("goes from the customer's migration over our acceptance to the registry's word that it is ours", async () => {
    await open();
    expect(registry.migrate(CAMPAIGN)).toMatchObject({ ok: true });
    await expect(receiver.next()).resolves.toBe(`CAMPAIGN_SHARE_ADD ${CAMPAIGN}`);
    await expect(client.standing(CAMPAIGN)).resolves.toEqual(ok("AwaitingUs"));
    await expect(sweep()).resolves.toEqual([`${CAMPAIGN} provisional Pending Active`]);
    await expect(client.accept(CAMPAIGN)).resolves.toMatchObject({ ok: true });
    await expect(receiver.next()).resolves.toBe(`CAMPAIGN_SHARE_ACCEPT ${CAMPAIGN}`);
    await expect(receiver.next()).resolves.toBe(`CAMPAIGN_DCA_COMPLETE ${CAMPAIGN}`);
    await expect(client.standing(CAMPAIGN)).resolves.toEqual(ok("Ours"));
    await expect(sweep()).resolves.toEqual([`${CAMPAIGN} primary Accepted Active`]);
    await expect(client.accept(CAMPAIGN)).resolves.toEqual(ok("Ours"));
    await expect(client.facts(CAMPAIGN)).resolves.toMatchObject({
      value: {
        tcrBrandId: "B8PWPWB",
        status: "Active",
        throughput: [
          { operator: "AT&T", messageClass: "F", smsPerMinute: 240, mmsPerMinute: 150 },
          { operator: "T-Mobile", brandTier: "TOP" },
        ],
      },
    });
  });

  test("waits for the partner above when we have accepted", async () => {
    await open({ acceptanceMs: 3_600_000 });
    registry.migrate(CAMPAIGN);
    await expect(client.accept(CAMPAIGN)).resolves.toEqual(ok("AwaitingUpstream"));
    await expect(sweep()).resolves.toEqual([`${CAMPAIGN} provisional Accepted Active`]);
    await expect(client.accept(CAMPAIGN)).resolves.toEqual(ok("AwaitingUpstream"));
  });

  test("ends where we decline, and can begin again", async () => {
    await open();
    registry.migrate(CAMPAIGN);
    const declined = {
      ok: true,
      value: { standing: "Declined", reason: "It was declined here (SAMPLE_MESSAGE): Why" },
    };
    for (let times = 0; times < 2; times++) {
      await decline();
      await expect(client.standing(CAMPAIGN)).resolves.toEqual(declined);
    }
    await expect(sweep()).resolves.toEqual([]);
    expect(registry.migrate(CAMPAIGN)).toMatchObject({ ok: true });
    await expect(client.standing(CAMPAIGN)).resolves.toEqual(ok("AwaitingUs"));
  });

  test("ends where the partner above declines", async () => {
    await open();
    registry.migrate(CAMPAIGN, "decline", "PRIVACY_POLICY");
    await receiver.next();
    await client.accept(CAMPAIGN);
    await expect(receiver.next()).resolves.toBe(`CAMPAIGN_SHARE_DELETE ${CAMPAIGN}`);
    await expect(client.standing(CAMPAIGN)).resolves.toMatchObject({
      value: {
        standing: "Declined",
        reason: expect.stringContaining("The partner above us declined it (PRIVACY_POLICY)"),
      },
    });
  });

  test.each([
    ["expire", "Expired"],
    ["cancel", "Cancelled"],
  ] as const)("ends when the outcome is to %s", async (outcome, standing) => {
    await open();
    registry.migrate(CAMPAIGN, outcome);
    await receiver.next();
    await expect(receiver.next()).resolves.toBe(`CAMPAIGN_SHARE_DELETE ${CAMPAIGN}`);
    await expect(client.standing(CAMPAIGN)).resolves.toMatchObject({ ok: true, value: { standing } });
    await expect(client.accept(CAMPAIGN)).resolves.toMatchObject({
      ok: false,
      refusal: { reason: expect.stringMatching(/^refused: /), isWide: false },
    });
    expect(registry.migrate(CAMPAIGN)).toMatchObject({ ok: true });
  });

  test("can lead away from us again", async () => {
    await open();
    registry.addOurs(CAMPAIGN);
    await expect(client.standing(CAMPAIGN)).resolves.toEqual(ok("Ours"));
    expect(registry.migrateAway(CAMPAIGN)).toMatchObject({ ok: true });
    await expect(receiver.next()).resolves.toBe(`CAMPAIGN_SHARE_DELETE ${CAMPAIGN}`);
    await expect(client.standing(CAMPAIGN)).resolves.toEqual(ok("NotOurs"));
    await expect(client.facts(CAMPAIGN)).resolves.toMatchObject({
      refusal: { reason: expect.stringContaining("502") },
    });
  });
});

describe("a campaign of ours", () => {
  test("is suspended, comes back and expires", async () => {
    await open();
    registry.addOurs(CAMPAIGN);
    registry.suspend(CAMPAIGN);
    await expect(receiver.next()).resolves.toBe(`MNO_CAMPAIGN_OPERATION_SUSPENDED ${CAMPAIGN}`);
    await expect(client.facts(CAMPAIGN)).resolves.toMatchObject({ value: { status: "Suspended" } });
    registry.unsuspend(CAMPAIGN);
    await expect(receiver.next()).resolves.toBe(`MNO_CAMPAIGN_OPERATION_UNSUSPENDED ${CAMPAIGN}`);
    await expect(client.facts(CAMPAIGN)).resolves.toMatchObject({ value: { status: "Active" } });
    registry.expire(CAMPAIGN);
    await expect(receiver.next()).resolves.toBe(`CAMPAIGN_EXPIRED ${CAMPAIGN}`);
    await expect(client.facts(CAMPAIGN)).resolves.toMatchObject({ value: { status: "Expired" } });
  });
});

describe("notifications", () => {
  test("that got lost are made up for by a sweep", async () => {
    await open();
    registry.setFaults({ loseNotifications: true });
    registry.migrate(CAMPAIGN);
    await expect(sweep()).resolves.toEqual([`${CAMPAIGN} provisional Pending Active`]);
    registry.setFaults({});
    registry.suspend(CAMPAIGN);
    await expect(receiver.next()).resolves.toBe(`MNO_CAMPAIGN_OPERATION_SUSPENDED ${CAMPAIGN}`);
  });

  test("that come twice are heard once", async () => {
    await open();
    registry.setFaults({ duplicateNotifications: true });
    registry.migrate(CAMPAIGN);
    await expect(receiver.next()).resolves.toBe(`CAMPAIGN_SHARE_ADD ${CAMPAIGN}`);
    await expect(receiver.next()).resolves.toBe("replayed");
  });

  test("that were not taken come again", async () => {
    await open();
    receiver.refuse(3);
    registry.migrate(CAMPAIGN);
    await expect(receiver.next()).resolves.toBe(`CAMPAIGN_SHARE_ADD ${CAMPAIGN}`);
  });

  test("of an impostor, who does not know our secret, are refused", async () => {
    await open();
    const impostor = await SandboxRegistry.listen({
      port: 0,
      ourCnpId: "STANDEM",
      ours: { ...OURS, secret: "guessed" },
      notifyUrl: receiver.url,
      notifyRetryMs: 1,
      log: silent,
    });
    closers.push(() => impostor.close());
    impostor.migrate(CAMPAIGN);
    await expect(receiver.next()).resolves.toBe("forged");
  });
});

describe("a registry in trouble", () => {
  test.each([
    [429, "rate-limited"],
    [500, "failing"],
    ["garbage", "unreadable"],
    ["down", "unreachable"],
  ] as const)("that answers %s is an answer, and is well again afterwards", async (answer, why) => {
    await open();
    registry.addOurs(CAMPAIGN);
    registry.setFaults({ answer });
    const hasty = openClient({ time: { nowMs: () => 0, sleep: async () => {} } });
    const isWide = why !== "unreadable";
    const unavailable = { ok: false, refusal: { reason: expect.stringMatching(`^${why}: `), isWide } };
    await expect(hasty.list(undefined)).resolves.toMatchObject(unavailable);
    await expect(hasty.facts(CAMPAIGN)).resolves.toMatchObject(unavailable);
    await expect(hasty.accept(CAMPAIGN)).resolves.toMatchObject(unavailable);
    registry.setFaults({});
    await expect(client.standing(CAMPAIGN)).resolves.toEqual(ok("Ours"));
  });

  test("that does not know our key says so", async () => {
    await open();
    await expect(openClient({ secret: "wrong" }).list(undefined)).resolves.toMatchObject({
      refusal: { reason: expect.stringContaining("our key or secret is wrong"), isWide: true },
    });
  });
});

test("a registry that is started again remembers, and goes on where it was", async () => {
  const directory = mkdtempSync(join(tmpdir(), "tandem-registry-"));
  closers.push(() => rmSync(directory, { recursive: true }));
  await open({ directory, acceptanceMs: 3_600_000 });
  registry.addOurs("COURSAA");
  registry.migrate(CAMPAIGN);
  await receiver.next();
  await client.accept(CAMPAIGN);
  await registry.close();

  const later = new VirtualClock(Date.now() + 3_600_000);
  await open({ directory, clock: later });
  await expect(receiver.next()).resolves.toBe(`CAMPAIGN_SHARE_ACCEPT ${CAMPAIGN}`);
  await expect(client.standing(CAMPAIGN)).resolves.toEqual(ok("Ours"));
  await expect(client.standing("COURSAA")).resolves.toEqual(ok("Ours"));
});
