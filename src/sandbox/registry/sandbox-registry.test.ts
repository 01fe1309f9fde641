import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { VirtualClock } from "../../../test/fakes/virtual-clock.ts";
import type { Log } from "../../base/log.ts";
import { SandboxRegistry, type SandboxRegistryOptions } from "./sandbox-registry.ts";

const OURS = { apiKey: "our-key", secret: "our-secret" };
const CUSTOMERS = { apiKey: "their-key", secret: "their-secret" };
const CAMPAIGN = "C8PWPWB";
const warnings: string[] = [];
const log: Log = { debug() {}, info() {}, warn: (_, fact) => warnings.push(fact), error() {} };

let registry: SandboxRegistry;
/** Stands still until a test advances it, so the test controls limits and delays. */
const clock = new VirtualClock();
const closers: (() => unknown)[] = [];

beforeEach(async () => {
  clock.nowMs = Date.parse("2026-11-15T12:00:00Z");
  registry = await start();
});
afterEach(async () => {
  warnings.length = 0;
  for (const close of closers.splice(0).reverse()) await close();
});

async function start(more: Partial<SandboxRegistryOptions> = {}): Promise<SandboxRegistry> {
  const options = {
    port: 0,
    ourCnpId: "STANDEM",
    ours: OURS,
    customers: CUSTOMERS,
    clock,
    acceptanceMs: 3_600_000,
    log,
  };
  const started = await SandboxRegistry.listen({ ...options, ...more });
  closers.push(() => started.close());
  return started;
}

async function ask(who: { apiKey: string; secret: string }, method: string, path: string, body?: unknown) {
  clock.nowMs += 1000;
  const response = await fetch(`${registry.baseUrl}${path}`, {
    method,
    headers: { authorization: `Basic ${btoa(`${who.apiKey}:${who.secret}`)}` },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
}

const us = (method: string, path: string, body?: unknown) => ask(OURS, method, path, body);
const customer = (method: string, path: string, body?: unknown) => ask(CUSTOMERS, method, path, body);
const refusedWith = (code: number, fields: readonly string[] = []) => ({
  status: 400,
  body: [{ code, description: expect.any(String), fields }],
});

describe("migrateCnp over HTTP", () => {
  beforeEach(async () => {
    registry.addOurs("COURSAA");
    registry.migrate(CAMPAIGN, "cancel");
    await customer("DELETE", `/campaign/${CAMPAIGN}/migrateCnp?explanation=not%20yet`);
    await us("PUT", "/settings/cnpMigration", { migrationSupported: true });
  });

  test("is started by the campaign's owner, seen by both and cancelled by who started it", async () => {
    await expect(customer("POST", `/campaign/${CAMPAIGN}/migrateCnp/STANDEM`)).resolves.toEqual({
      status: 204,
      body: undefined,
    });
    for (const party of [us, customer]) {
      await expect(party("GET", `/campaign/${CAMPAIGN}/migrateCnp`)).resolves.toEqual({
        status: 200,
        body: {
          campaignId: CAMPAIGN,
          status: "ACTIVE",
          cancellationReason: null,
          createDate: expect.any(String),
          expirationDate: expect.any(String),
        },
      });
    }
    await expect(us("DELETE", `/campaign/${CAMPAIGN}/migrateCnp`)).resolves.toEqual(refusedWith(500));
    await expect(customer("DELETE", `/campaign/${CAMPAIGN}/migrateCnp`)).resolves.toMatchObject({ status: 204 });
    await expect(us("GET", `/campaign/${CAMPAIGN}/migrateCnp`)).resolves.toMatchObject({
      body: { status: "CANCELLED" },
    });
  });

  test.each([
    ["an unknown campaign", "CUNKNWN", "STANDEM", refusedWith(502, ["campaignId"])],
    ["an unknown partner", CAMPAIGN, "SNOBODY", refusedWith(501, ["upstreamCnpId"])],
    ["the owner as partner", CAMPAIGN, "SCUSTMR", refusedWith(501, ["upstreamCnpId"])],
    ["the partner that has it", "COURSAA", "STANDEM", refusedWith(592)],
  ])("is refused for %s", async (_, campaign, partner, refusal) => {
    await expect(customer("POST", `/campaign/${campaign}/migrateCnp/${partner}`)).resolves.toEqual(refusal);
  });

  test("is refused of others, while another is open, and of what is suspended or expired", async () => {
    const path = `/campaign/${CAMPAIGN}/migrateCnp/STANDEM`;
    await expect(us("POST", path)).resolves.toEqual(refusedWith(502, ["campaignId"]));
    registry.suspend(CAMPAIGN);
    await expect(customer("POST", path)).resolves.toEqual(refusedWith(592));
    registry.unsuspend(CAMPAIGN);
    await customer("POST", path);
    await expect(customer("POST", path)).resolves.toEqual(refusedWith(592));
    await customer("DELETE", `/campaign/${CAMPAIGN}/migrateCnp`);
    registry.expire(CAMPAIGN);
    await expect(customer("POST", path)).resolves.toEqual(refusedWith(518));
  });

  test("keeps the old chain until the new one is complete", async () => {
    await customer("POST", `/campaign/${CAMPAIGN}/migrateCnp/STANDEM`);
    const chain = (provisional: boolean) =>
      customer("GET", `/campaign/${CAMPAIGN}/sharing?cnpMigration=${provisional}`);
    const to = (upstreamCnpId: string, sharingStatus: string) => ({
      body: { sharedByMe: { upstreamCnpId, sharingStatus } },
    });
    await us("PUT", `/partnerCampaign/${CAMPAIGN}/sharing/${registry.dcaId}`);
    await expect(chain(false)).resolves.toMatchObject(to("SPREVUS", "ACCEPTED"));
    await expect(chain(true)).resolves.toMatchObject(to("STANDEM", "ACCEPTED"));
  });
});

describe("sharing over HTTP", () => {
  beforeEach(async () => {
    registry.migrate(CAMPAIGN);
  });

  test("shows what is shared in the chain that is context for", async () => {
    await expect(us("GET", `/partnerCampaign/${CAMPAIGN}`)).resolves.toEqual(refusedWith(502, ["campaignId"]));
    const path = `/partnerCampaign/${CAMPAIGN}/sharing?cnpMigration=true`;
    await expect(us("GET", path)).resolves.toEqual({
      status: 200,
      body: {
        sharedWithMe: {
          downstreamCnpId: "SCUSTMR",
          upstreamCnpId: "STANDEM",
          sharingStatus: "PENDING",
          rejectionCategory: [],
          explanation: "",
          sharedDate: "2026-11-15T12:00:00.000Z",
          statusDate: "2026-11-15T12:00:00.000Z",
          cnpMigration: true,
        },
      },
    });
    await expect(us("GET", `/campaign/${CAMPAIGN}`)).resolves.toEqual(refusedWith(502, ["campaignId"]));
    await expect(customer("GET", `/campaign/${CAMPAIGN}`)).resolves.toMatchObject({ body: { campaignId: CAMPAIGN } });
  });

  test("is accepted only with migration switched on, upwards, and once", async () => {
    const share = (partner: string) => us("PUT", `/partnerCampaign/${CAMPAIGN}/sharing/${partner}`);
    await expect(share(registry.dcaId)).resolves.toEqual(refusedWith(592));
    await us("PUT", "/settings/cnpMigration", { migrationSupported: true });
    await expect(share("SCUSTMR")).resolves.toEqual(refusedWith(523));
    await expect(share("STANDEM")).resolves.toEqual(refusedWith(523));
    await expect(share("SNOBODY")).resolves.toEqual(refusedWith(501, ["upstreamCnpId"]));
    await expect(share(registry.dcaId)).resolves.toMatchObject({ status: 200, body: { sharingStatus: "PENDING" } });
    await expect(share(registry.dcaId)).resolves.toEqual(refusedWith(592));
  });

  test("is declined with a category and an explanation", async () => {
    const decline = (query: string) => us("DELETE", `/partnerCampaign/${CAMPAIGN}/sharing?${query}`);
    await expect(decline("explanation=no")).resolves.toEqual(refusedWith(501, ["rejectionCategory"]));
    await expect(decline("explanation=no&rejectionCategory=MOOD")).resolves.toEqual(
      refusedWith(501, ["rejectionCategory"]),
    );
    await expect(decline("rejectionCategory=OTHER")).resolves.toEqual(refusedWith(501, ["explanation"]));
    await expect(decline("explanation=no&rejectionCategory=OTHER")).resolves.toMatchObject({
      status: 200,
      body: { sharingStatus: "DECLINED", rejectionCategory: ["OTHER"], explanation: "no" },
    });
    await expect(decline("explanation=no&rejectionCategory=OTHER")).resolves.toEqual(refusedWith(502, ["campaignId"]));
  });

  test("is searched by page, status and date", async () => {
    for (const id of ["CAAAAAA", "CBBBBBB", "CCCCCCC"]) registry.addOurs(id);
    const search = (query: string) => us("GET", `/partnerCampaign/sharedWithMe/search?${query}`);
    const found = (ids: readonly string[], totalRecords = ids.length, page = 1) => ({
      status: 200,
      body: { records: ids.map((campaignId) => expect.objectContaining({ campaignId })), page, totalRecords },
    });
    await expect(search("")).resolves.toEqual(found(["CAAAAAA", "CBBBBBB", "CCCCCCC"]));
    await expect(search("page=2&recordsPerPage=2")).resolves.toEqual(found(["CCCCCCC"], 3, 2));
    await expect(search("cnpMigration=true&sharingStatus=PENDING")).resolves.toEqual(found([CAMPAIGN]));
    await expect(search("cnpMigration=true&sharingStatus=DECLINED&sharingStatus=ACCEPTED")).resolves.toEqual(found([]));
    await expect(search("sharingStartDate=2026-11-16")).resolves.toEqual(found([]));
    await expect(search("sharingEndDate=2026-11-15&brandId=BAAAAAA")).resolves.toEqual(found(["CAAAAAA"]));
    await expect(search("recordsPerPage=51")).resolves.toEqual(refusedWith(501, ["recordsPerPage"]));
    await expect(search("page=0")).resolves.toEqual(refusedWith(501, ["page"]));
    await expect(search("sharingStartDate=yesterday")).resolves.toEqual(refusedWith(501, ["sharingStartDate"]));
  });
});

describe("webhooks over HTTP", () => {
  test("are subscribed, each partner for itself", async () => {
    const subscription = { eventCategory: "CAMPAIGN", webhookEndpoint: "https://t.example/hook" };
    await expect(us("PUT", "/webhook/subscription", subscription)).resolves.toEqual({
      status: 200,
      body: subscription,
    });
    await expect(us("GET", "/webhook/subscription")).resolves.toEqual({ status: 200, body: [subscription] });
    await expect(customer("GET", "/webhook/subscription")).resolves.toEqual({ status: 200, body: [] });
  });

  test.each([
    [{ eventCategory: "MOOD", webhookEndpoint: "https://t.example" }, "eventCategory"],
    [{ eventCategory: "CAMPAIGN" }, "webhookEndpoint"],
    [{ eventCategory: "CAMPAIGN", webhookEndpoint: "file:///etc/passwd" }, "webhookEndpoint"],
    [{ eventCategory: "CAMPAIGN", webhookEndpoint: `https://t.example/${"x".repeat(255)}` }, "webhookEndpoint"],
    ["not JSON", "eventCategory"],
    ["null", "eventCategory"],
  ])("are refused for %o", async (body, field) => {
    await expect(us("PUT", "/webhook/subscription", body)).resolves.toEqual(refusedWith(501, [field]));
  });
});

describe("the front", () => {
  test("lets no caller in without a key, nowhere to paths that are none, and not too much at once", async () => {
    await expect(ask({ apiKey: "our-key", secret: "wrong" }, "GET", "/settings/cnpMigration")).resolves.toMatchObject({
      status: 401,
    });
    await expect(us("GET", "/nowhere")).resolves.toMatchObject({ status: 404 });
    await expect(us("PATCH", "/settings/cnpMigration")).resolves.toMatchObject({ status: 404 });
    await expect(us("PUT", "/webhook/subscription", " ".repeat(70_000))).resolves.toMatchObject({ status: 413 });
    await expect(us("GET", "/settings/cnpMigration")).resolves.toMatchObject({ status: 200 });
  });

  test("lets twenty reads in a second through, and each partner has its own", async () => {
    const headers = (who: typeof OURS) => ({ authorization: `Basic ${btoa(`${who.apiKey}:${who.secret}`)}` });
    const read = async (who: typeof OURS) => {
      const response = await fetch(`${registry.baseUrl}/settings/cnpMigration`, { headers: headers(who) });
      await response.arrayBuffer();
      return response.status;
    };
    const statuses: number[] = [];
    for (let count = 0; count < 21; count++) statuses.push(await read(OURS));
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    expect(statuses.at(-1)).toBe(429);
    await expect(read(CUSTOMERS)).resolves.toBe(200);
    clock.nowMs += 1000;
    await expect(read(OURS)).resolves.toBe(200);
  });
});

test("starts again where what it kept is unreadable, and reports it", async () => {
  const directory = mkdtempSync(join(tmpdir(), "tandem-registry-"));
  closers.push(() => rmSync(directory, { recursive: true }));
  writeFileSync(join(directory, "registry.json"), '{"campaigns":[{"campaignId":7}]}');
  registry = await start({ directory });
  expect(warnings).toEqual(["sandbox registry started empty, its file was unreadable"]);
  expect(registry.addOurs(CAMPAIGN)).toMatchObject({ ok: true });
});

test("makes no campaign of what is no id", () => {
  expect(registry.migrate("nonsense")).toMatchObject({ ok: false, refusal: [{ code: 501, fields: ["campaignId"] }] });
  expect(registry.suspend("CUNKNWN")).toMatchObject({ ok: false, refusal: [{ code: 502 }] });
});
