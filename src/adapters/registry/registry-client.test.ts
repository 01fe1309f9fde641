import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type RegistryStub, STUB_CAMPAIGN, startRegistryStub } from "../../../test/fakes/registry-stub.ts";
import { VirtualClock } from "../../../test/fakes/virtual-clock.ts";
import type { Log } from "../../base/log.ts";
import { RegistryClient, type RegistryClientOptions } from "./registry-client.ts";

const ENDPOINT = "https://t.example/registry";
const CHAIN = `GET /partnerCampaign/${STUB_CAMPAIGN}/sharing`;

let stub: RegistryStub;
const clients: RegistryClient[] = [];
const warnings: string[] = [];
const log: Log = { debug() {}, info() {}, warn: (_, fact) => warnings.push(fact), error() {} };

beforeEach(async () => {
  stub = await startRegistryStub();
});
afterEach(async () => {
  warnings.length = 0;
  await Promise.all(clients.splice(0).map((client) => client.close()));
  await stub.close();
});

/** Waits end immediately, so that tests never wait. */
function timeMachine() {
  const waits: number[] = [];
  let nowMs = 0;
  return {
    waits,
    nowMs: () => nowMs,
    async sleep(ms: number, signal: AbortSignal) {
      signal.throwIfAborted();
      waits.push(Math.round(ms));
      nowMs += ms;
    },
  };
}

function open(more: Partial<RegistryClientOptions> = {}, now = "2026-11-15T12:00:00Z"): RegistryClient {
  const options: RegistryClientOptions = {
    baseUrl: stub.baseUrl,
    apiKey: "KEY",
    secret: "s:cret",
    attemptMs: 10_000,
    deadlineMs: 30_000,
    requestsPerSecond: 15,
    shareWithCnpId: "DUPSTRM",
    time: timeMachine(),
    chance: () => 0,
    ...more,
  };
  const client = new RegistryClient(options, { clock: new VirtualClock(new Date(now)), log });
  clients.push(client);
  return client;
}

const asked = () => stub.requests.map(({ method, url }) => `${method} ${url}`);
const stands = (standing: string, reason: string | null = null) => ({ standing, reason });
const shared = (sharingStatus: string, more: object = {}) => ({ sharedWithMe: { sharingStatus, ...more } });

describe("a campaign", () => {
  test("is read with what the operators say of it", async () => {
    await expect(open().facts(STUB_CAMPAIGN)).resolves.toEqual({
      ok: true,
      value: {
        tcrBrandId: "BFHXANR",
        name: "Tells customers of the shop when their parcels leave the wareho…",
        status: "Active",
        throughput: [
          { operator: "AT&T", messageClass: "A", smsPerMinute: 1800, mmsPerMinute: 900, brandTier: null },
          { operator: "T-Mobile", messageClass: null, smsPerMinute: null, mmsPerMinute: null, brandTier: "TOP" },
        ],
      },
    });
    expect(stub.requests[0]?.authorization).toBe(`Basic ${btoa("KEY:s:cret")}`);
  });

  test("that one operator suspended is suspended", async () => {
    stub.answer(`GET /partnerCampaign/${STUB_CAMPAIGN}/operationStatus`, 200, { "10035": "SUSPENDED" });
    await expect(open().facts(STUB_CAMPAIGN)).resolves.toMatchObject({ value: { status: "Suspended" } });
  });

  test("that expired has no operators", async () => {
    const document = { campaignId: STUB_CAMPAIGN, brandId: "BFHXANR", status: "EXPIRED", usecase: "MIXED" };
    stub.answer(`GET /partnerCampaign/${STUB_CAMPAIGN}?cnpMigration=false`, 200, document);
    stub.answer(`GET /partnerCampaign/${STUB_CAMPAIGN}/operationStatus`, 400, [{ code: 518 }]);
    stub.answer(`GET /partnerCampaign/${STUB_CAMPAIGN}/mnoMetadata`, 400, [{ code: 518 }]);
    await expect(open().facts(STUB_CAMPAIGN)).resolves.toMatchObject({
      value: { status: "Expired", name: "MIXED", throughput: [] },
    });
  });

  test("that no one knows is not found, and what is no id is not asked for", async () => {
    const notFound = { ok: false, refusal: { reason: "refused: 502 Campaign record not found.", isWide: false } };
    const client = open();
    await expect(client.facts("CUNKNWN")).resolves.toMatchObject(notFound);
    const before = stub.requests.length;
    for (const id of ["", "../../enum/cnp", "c8pwpwb", "C8PWPWB?x=1"]) {
      await expect(client.facts(id)).resolves.toMatchObject(notFound);
      await expect(client.standing(id)).resolves.toMatchObject({ ok: true, value: { standing: "NotOurs" } });
      await expect(client.accept(id)).resolves.toMatchObject(notFound);
    }
    expect(stub.requests).toHaveLength(before);
  });
});

describe("where a campaign stands", () => {
  test.each<[string, Readonly<Record<string, object>>, object]>([
    ["waits for us", {}, stands("AwaitingUs")],
    ["waits for the partner above", { provisional: shared("ACCEPTED") }, stands("AwaitingUpstream")],
    ["is ours", { primary: { ...shared("ACCEPTED"), sharedByMe: { sharingStatus: "ACCEPTED" } } }, stands("Ours")],
    ["is ours when nobody is above us", { primary: shared("ACCEPTED") }, stands("Ours")],
    [
      "was declined by us",
      { provisional: shared("DECLINED", { rejectionCategory: ["OTHER"], explanation: "No." }) },
      stands("Declined", "It was declined here (OTHER): No."),
    ],
    [
      "was declined above us",
      {
        provisional: {
          ...shared("ACCEPTED"),
          sharedByMe: { sharingStatus: "DECLINED", rejectionCategory: ["SAMPLE_MESSAGE"], explanation: "Odd." },
        },
      },
      stands("Declined", "The partner above us declined it (SAMPLE_MESSAGE): Odd."),
    ],
    [
      "was cancelled",
      { provisional: {}, migration: { status: "CANCELLED", cancellationReason: "Changed my mind" } },
      stands("Cancelled", "Changed my mind"),
    ],
    [
      "expired, though it is still open",
      { migration: { status: "ACTIVE", expirationDate: "2026-11-14T00:00:00Z" } },
      stands("Expired", "It was not settled before 2026-11-14T00:00:00.000Z."),
    ],
    ["is not ours", { provisional: {}, migration: { status: "COMPLETED" } }, stands("NotOurs")],
    [
      "waits for us again, whatever became of a migration",
      { provisional: {}, primary: shared("PENDING"), migration: { status: "CANCELLED" } },
      stands("AwaitingUs"),
    ],
  ])("%s", async (_, documents, standing) => {
    const { primary, provisional, migration } = documents;
    if (primary) stub.answer(`${CHAIN}?cnpMigration=false`, 200, primary);
    if (provisional) stub.answer(`${CHAIN}?cnpMigration=true`, 200, provisional);
    if (migration) stub.answer(`GET /campaign/${STUB_CAMPAIGN}/migrateCnp`, 200, migration);
    await expect(open().standing(STUB_CAMPAIGN)).resolves.toEqual({ ok: true, value: standing });
  });

  test("is reported without the migration where that is not for us to see", async () => {
    stub.answer(`GET /campaign/${STUB_CAMPAIGN}/migrateCnp`, 400, [{ code: 500, description: "Not the owner" }]);
    await expect(open().standing(STUB_CAMPAIGN)).resolves.toEqual({ ok: true, value: stands("AwaitingUs") });
  });
});

describe("accepting", () => {
  test("accepts by sharing with the partner above", async () => {
    await expect(open().accept(STUB_CAMPAIGN)).resolves.toMatchObject({ ok: true });
    expect(asked()[0]).toBe(`PUT /partnerCampaign/${STUB_CAMPAIGN}/sharing/DUPSTRM`);
  });

  test("shares with nobody when nobody is above", async () => {
    await open({ shareWithCnpId: undefined }).accept(STUB_CAMPAIGN);
    expect(asked().filter((question) => question.startsWith("PUT"))).toEqual([]);
  });

  test.each([
    ["refused, because it was done before", 400, [{ code: 592, description: "Rescinding is not allowed" }]],
    ["lost", 500, undefined],
  ])("counts as accepted when the answer was %s", async (_, status, document) => {
    stub.answer(`PUT /partnerCampaign/${STUB_CAMPAIGN}/sharing/DUPSTRM`, status, document);
    stub.answer(`${CHAIN}?cnpMigration=true`, 200, shared("ACCEPTED"));
    await expect(open().accept(STUB_CAMPAIGN)).resolves.toEqual({ ok: true, value: stands("AwaitingUpstream") });
    expect(asked().filter((question) => question.startsWith("PUT"))).toHaveLength(1);
  });

  test.each([500, 501, 502, 504, 518, 522, 523, 536, 562, 592, 777])("is refused with %i", async (code) => {
    const error = { code, description: "Said by the registry", fields: ["upstreamCnpId"] };
    stub.answer(`PUT /partnerCampaign/${STUB_CAMPAIGN}/sharing/DUPSTRM`, 400, [error]);
    await expect(open().accept(STUB_CAMPAIGN)).resolves.toEqual({
      ok: false,
      refusal: { reason: `refused: ${code} Said by the registry`, isWide: false },
    });
  });
});

describe("what was shared with us", () => {
  const record = (campaignId: string) => ({ campaignId, brandId: "BFHXANR", usecase: "MIXED" });
  const page = (view: string, pageNumber: number, since = "") =>
    `GET /partnerCampaign/sharedWithMe/search?${view}${since}&page=${pageNumber}&recordsPerPage=50`;
  const VIEWS = [
    "cnpMigration=true&sharingStatus=PENDING",
    "cnpMigration=false&sharingStatus=PENDING",
    "cnpMigration=true&sharingStatus=ACCEPTED",
    "cnpMigration=false&sharingStatus=ACCEPTED",
  ] as const;

  async function sweep(client: RegistryClient, sharedSince?: Date) {
    const found: string[] = [];
    let place: unknown;
    do {
      const answer = await client.list(sharedSince, place);
      if (!answer.ok) throw new Error(JSON.stringify(answer.refusal));
      found.push(...answer.value.items.map((it) => `${it.tcrCampaignId} ${it.shownAs}`));
      place = answer.value.next;
    } while (place !== undefined);
    return found;
  }

  test("is swept page by page, in both chains, from the day before", async () => {
    const since = "&sharingStartDate=2026-11-14";
    const many = Array.from({ length: 50 }, (_, index) => record(`C${String(index).padStart(6, "0")}`));
    stub.answer("*", 200, { records: [], page: 1, totalRecords: 0 });
    stub.answer(page(VIEWS[0], 1, since), 200, { records: many, page: 1, totalRecords: 51 });
    stub.answer(page(VIEWS[0], 2, since), 200, { records: [record("CLASTON")], page: 2, totalRecords: 51 });
    stub.answer(page(VIEWS[3], 1, since), 200, { records: [record("COURSAA")], page: 1, totalRecords: 1 });
    const found = await sweep(open(), new Date("2026-11-15T01:00:00Z"));
    expect(found).toHaveLength(52);
    expect(found.slice(-2)).toEqual(["CLASTON provisional Pending Active", "COURSAA primary Accepted Active"]);
    expect(asked()).toEqual([
      page(VIEWS[0], 1, since),
      page(VIEWS[0], 2, since),
      ...VIEWS.slice(1).map((view) => page(view, 1, since)),
    ]);
  });

  test("is read past records that are none", async () => {
    stub.answer("*", 200, { records: [], page: 1, totalRecords: 0 });
    const records = [{ campaignId: 7 }, record("CGOODAA"), null, "C", { campaignId: "CNOBRND" }];
    stub.answer(page(VIEWS[0], 1), 200, { records, page: 1, totalRecords: 5 });
    await expect(sweep(open())).resolves.toEqual(["CGOODAA provisional Pending Active"]);
    expect(warnings).toEqual(["registry listed records that are not campaigns"]);
  });

  test("ends, however much the registry claims to have", async () => {
    stub.answer("*", 200, { records: [record("CENDLES")], page: 1, totalRecords: 2_000_000_000 });
    const client = open();
    const beyond = await client.list(undefined, { view: 3, page: 200 });
    expect(beyond).toMatchObject({ ok: true });
    expect(beyond.ok && beyond.value.next).toBeUndefined();
    stub.answer("*", 200, { records: [], page: 1, totalRecords: 2_000_000_000 });
    await expect(sweep(client)).resolves.toEqual([]);
  });
});

describe("preparing the account", () => {
  test("subscribes where nobody is subscribed, and only then", async () => {
    const client = open();
    await expect(client.ensureSubscription(ENDPOINT)).resolves.toEqual({ ok: true, value: "made" });
    expect(JSON.parse(stub.requests[1]?.body ?? "")).toEqual({ eventCategory: "CAMPAIGN", webhookEndpoint: ENDPOINT });
    stub.answer("GET /webhook/subscription", 200, [{ eventCategory: "CAMPAIGN", webhookEndpoint: ENDPOINT }]);
    await expect(client.ensureSubscription(ENDPOINT)).resolves.toEqual({ ok: true, value: "kept" });
    expect(stub.requests).toHaveLength(3);
  });

  test("does not try a URL that is too long for the registry", async () => {
    await expect(open().ensureSubscription(`https://t.example/${"x".repeat(250)}`)).resolves.toMatchObject({
      refusal: { reason: expect.stringContaining("501"), isWide: false },
    });
    expect(stub.requests).toEqual([]);
  });

  test("switches migration on and leaves the other switch alone", async () => {
    const client = open();
    await expect(client.ensureMigrationSupported()).resolves.toEqual({ ok: true, value: "switchedOn" });
    expect(JSON.parse(stub.requests[1]?.body ?? "")).toEqual({ migrationSupported: true, migrationAutoComplete: true });
    stub.answer("GET /settings/cnpMigration", 200, { migrationSupported: true });
    await expect(client.ensureMigrationSupported()).resolves.toEqual({ ok: true, value: "kept" });
  });
});

describe("a registry in trouble is an answer", () => {
  const unavailable = (why: string) => ({
    ok: false,
    refusal: { reason: expect.stringMatching(`^${why}: `), isWide: why !== "unreadable" },
  });
  const QUESTION = "GET /settings/cnpMigration";

  test("refused for haste, it is asked again when it says so", async () => {
    const time = timeMachine();
    let asks = 0;
    stub.behave(QUESTION, (_, response) => {
      asks += 1;
      if (asks === 3) response.end('{"migrationSupported":true}');
      else response.writeHead(429, asks === 1 ? { "retry-after": "7" } : {}).end();
    });
    await expect(open({ time }).ensureMigrationSupported()).resolves.toEqual({ ok: true, value: "kept" });
    expect(time.waits).toEqual([7000, 500]);
  });

  test("a write refused for haste is repeated, a write that failed is not", async () => {
    const statuses = [429, 500];
    stub.behave("PUT /settings/cnpMigration", (_, response) => void response.writeHead(statuses.shift() ?? 200).end());
    await expect(open().ensureMigrationSupported()).resolves.toMatchObject(unavailable("failing"));
    expect(asked().filter((question) => question.startsWith("PUT"))).toHaveLength(2);
  });

  test("does not wait for a time beyond its deadline", async () => {
    stub.behave(QUESTION, (_, response) => void response.writeHead(429, { "retry-after": "3600" }).end());
    const time = timeMachine();
    await expect(open({ time }).ensureMigrationSupported()).resolves.toEqual({
      ok: false,
      refusal: { reason: "rate-limited: status 429", isWide: true },
    });
    expect(time.waits).toEqual([]);
  });

  test.each([590, 591, 630])("the registry's own trouble, %i, is no refusal", async (code) => {
    stub.answer(QUESTION, 400, [{ code, description: "Internal", fields: null }]);
    await expect(open({ deadlineMs: 5000 }).ensureMigrationSupported()).resolves.toMatchObject(unavailable("failing"));
  });

  test("a key that is not known is said to be so, once", async () => {
    stub.answer(QUESTION, 401);
    await expect(open().ensureMigrationSupported()).resolves.toEqual({
      ok: false,
      refusal: { reason: "our key or secret is wrong: status 401", isWide: true },
    });
    expect(stub.requests).toHaveLength(1);
  });

  test.each<[string, string, Parameters<RegistryStub["behave"]>[1], number]>([
    ["500", "failing", (_, response) => void response.writeHead(500).end("<h1>oops"), 4],
    ["503", "failing", (_, response) => void response.writeHead(503).end(), 4],
    [
      "a compressed 503",
      "failing",
      (_, response) => void response.writeHead(503, { "content-encoding": "gzip" }).end("\x1f\x8b"),
      4,
    ],
    ["a cut connection", "unreachable", (request) => void request.socket.destroy(), 4],
    [
      "half an answer",
      "unreachable",
      (_, response) => void response.writeHead(200, { "content-length": 99 }).write("{", () => response.destroy()),
      4,
    ],
    ["HTML", "unreadable", (_, response) => void response.end("<!doctype html>"), 1],
    ["nothing", "unreadable", (_, response) => void response.end(), 1],
    ["another document", "unreadable", (_, response) => void response.end("[]"), 1],
    ["bytes that are not UTF-8", "unreadable", (_, response) => void response.end(Buffer.from([0x22, 0xff, 0x22])), 1],
    ["deep nesting", "unreadable", (_, response) => void response.end("[".repeat(1_000_000)), 1],
    ["a redirect", "unreadable", (_, response) => void response.writeHead(302, { location: "/other" }).end(), 1],
    ["404", "unreadable", (_, response) => void response.writeHead(404).end("{}"), 1],
    ["a 400 without errors", "unreadable", (_, response) => void response.writeHead(400).end('{"message":"no"}'), 1],
    ["a 400 with odd errors", "unreadable", (_, response) => void response.writeHead(400).end("[1,{}]"), 1],
    ["noise", "unreadable", (request) => void request.socket.end("\0\0 not HTTP\r\n\r\n"), 1],
    [
      "endless headers",
      "unreadable",
      (_, response) => void response.writeHead(200, { x: "x".repeat(99_999) }).end(),
      1,
    ],
  ])("when it answers %s", async (_, why, listener, attempts) => {
    stub.behave(QUESTION, listener);
    await expect(open().ensureMigrationSupported()).resolves.toMatchObject(unavailable(why));
    expect(stub.requests).toHaveLength(attempts);
  });

  test("when its answer is huge, without reading all of it", async () => {
    let written = 0;
    stub.behave(QUESTION, (_, response) => {
      const more = () => {
        if (response.destroyed) return;
        written += 1;
        response.write(Buffer.alloc(65_536, " "), () => setImmediate(more));
      };
      more();
    });
    await expect(open().ensureMigrationSupported()).resolves.toMatchObject(unavailable("unreadable"));
    expect(written * 65_536).toBeLessThan(64 * 1024 * 1024);
  });

  test.each<[string, Parameters<RegistryStub["behave"]>[1]]>([
    ["never", () => {}],
    ["only its head", (_, response) => void response.writeHead(200).write("{")],
  ])("when it answers %s", async (_, listener) => {
    stub.behave(QUESTION, listener);
    const answer = await open({ attemptMs: 50, deadlineMs: 120 }).ensureMigrationSupported();
    expect(answer).toMatchObject(unavailable("timeout"));
  });

  test("when all the questions of one request together take too long", async () => {
    stub.behave(`${CHAIN}?cnpMigration=false`, () => {});
    const client = open({ attemptMs: 60_000, deadlineMs: 200 });
    await expect(client.standing(STUB_CAMPAIGN)).resolves.toMatchObject(unavailable("timeout"));
  });

  test("when nobody is there", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const client = open({ baseUrl: `http://127.0.0.1:${port}/v2` });
    await expect(client.list(undefined)).resolves.toMatchObject(unavailable("unreachable"));
    await expect(client.facts(STUB_CAMPAIGN)).resolves.toMatchObject(unavailable("unreachable"));
    await expect(client.accept(STUB_CAMPAIGN)).resolves.toMatchObject(unavailable("unreachable"));
    await expect(client.ensureSubscription(ENDPOINT)).resolves.toMatchObject(unavailable("unreachable"));
  });

  test("and when it is closed while it is asked", async () => {
    const client = open();
    stub.behave(QUESTION, () => void client.close());
    await expect(client.ensureMigrationSupported()).resolves.toMatchObject(unavailable("closed"));
    await expect(client.facts(STUB_CAMPAIGN)).resolves.toMatchObject(unavailable("closed"));
    await client.close();
  });
});

describe("the pace", () => {
  test("is kept by all questions together, after a few at once", async () => {
    const time = timeMachine();
    const client = open({ time, requestsPerSecond: 4 });
    stub.answer("*", 200, { records: [], page: 1, totalRecords: 0 });
    for (let count = 0; count < 5; count++) await client.list(undefined);
    expect(time.waits).toEqual([250, 250, 250]);
  });

  test("lets a crowd that cannot be served in time go at once", async () => {
    const time = timeMachine();
    const client = open({ time: { ...time, sleep: async () => {} }, requestsPerSecond: 1, deadlineMs: 2000 });
    stub.answer("*", 200, { records: [], page: 1, totalRecords: 0 });
    const answers = await Promise.all(Array.from({ length: 50 }, () => client.list(undefined)));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(2);
    expect(answers.filter(({ ok }) => !ok)).toHaveLength(48);
    expect(stub.requests).toHaveLength(2);
  });
});
