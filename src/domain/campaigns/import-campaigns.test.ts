import { beforeEach, describe, expect, test } from "vitest";
import { silent } from "../../../test/fakes/silent-log.ts";
import { VirtualClock } from "../../../test/fakes/virtual-clock.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import type { NewEvent } from "../events.ts";
import type { PhoneStore } from "../numbers/index.ts";
import type { Campaign } from "./campaign.ts";
import type { CampaignClaim, CampaignFacts, FollowedCampaign, StandingUpdate } from "./followed-campaign.ts";
import { CampaignImport, type ImportUnit } from "./import-campaigns.ts";
import type { CampaignQueue, CampaignRegistry, CampaignStore, FollowedCampaignStore, RegistryFault } from "./ports.ts";

const MINUTE = 60_000;
const FACTS: CampaignFacts = { tcrBrandId: "B1", name: "Shop", status: "Active", throughput: [] };
const DOWN: RegistryFault = { reason: "unreachable: ECONNREFUSED", isWide: true };
const GARBAGE: RegistryFault = { reason: "unreadable: not JSON", isWide: false };
const news = (standing: StandingUpdate["standing"]): StandingUpdate => ({ standing, reason: null });

interface Kept {
  campaign: FollowedCampaign;
  askMs: number;
  failures: number;
  shownAs: string;
}

/** The registry, the store and the clock, in memory. */
class Place {
  readonly clock = new VirtualClock(new Date("2026-03-01T12:00:00.000Z"));
  readonly asked: string[] = [];
  readonly sweeps: (Date | undefined)[] = [];
  readonly standings = new Map<string, Result<StandingUpdate, RegistryFault>>();
  facts: Result<CampaignFacts, RegistryFault> = ok(FACTS);
  endpoint: string | undefined = "https://t.example/registry";
  prepared: Result<undefined, RegistryFault> = ok(undefined);
  readonly preparations: string[] = [];
  listed: Result<readonly (readonly string[])[], RegistryFault> = ok([[]]);
  /** Runs while the registry is asked. */
  meanwhile: () => void = () => undefined;
  readonly kept = new Map<string, Kept>();
  readonly imported = new Map<string, Campaign>();
  readonly events: NewEvent[] = [];
  readonly #import: CampaignImport;

  constructor() {
    this.#import = new CampaignImport({
      registry: this.#registry(),
      queue: this.queue(),
      endpoint: () => this.endpoint,
      transaction: (work) => work(this.#unit()),
      clock: this.clock,
      chance: () => 0,
      log: silent,
      everyMs: MINUTE,
      claimMs: MINUTE,
    });
  }

  pass() {
    return this.#import.pass();
  }

  queue(): CampaignQueue {
    return {
      noteListed: async (campaigns, now) => {
        const changed = campaigns.filter(({ tcrCampaignId: id, shownAs }) => this.kept.get(id)?.shownAs !== shownAs);
        for (const { tcrCampaignId: id, shownAs } of changed) Object.assign(this.#row(id, now), { shownAs, askMs: 0 });
        return changed.length;
      },
      noteUpdate: async (id, now) => {
        this.#row(id, now).askMs = now.getTime();
      },
      claimDue: async (now, until, countMax) => {
        const due = [...this.kept.values()].filter(({ askMs }) => askMs <= now.getTime()).slice(0, countMax);
        for (const row of due) row.askMs = until.getTime();
        return due.map(({ campaign, failures }): CampaignClaim => ({ ...campaign, failures, claimedUntil: until }));
      },
      giveBack: async ({ tcrCampaignId: id, claimedUntil }, { askOn, failures }) => {
        const row = this.kept.get(id);
        if (row?.askMs === claimedUntil.getTime()) Object.assign(row, { askMs: askOn.getTime(), failures });
      },
    };
  }

  #row(id: string, now: Date): Kept {
    const blank = { tcrCampaignId: id, accountSid: null, reason: null, facts: null, standingSince: now, seenOn: now };
    const fresh = { campaign: { ...blank, standing: "Unknown" } as const, askMs: 0, failures: 0, shownAs: "" };
    const row = this.kept.get(id) ?? fresh;
    this.kept.set(id, row);
    return row;
  }

  #registry(): CampaignRegistry {
    const stands = (verb: string) => async (id: string) => {
      this.asked.push(`${verb} ${id}`);
      this.meanwhile();
      return this.standings.get(id) ?? ok(news("NotOurs"));
    };
    return {
      list: async (sharedSince, place = 0) => {
        this.sweeps.push(sharedSince);
        if (!this.listed.ok) return this.listed;
        const pages = this.listed.value;
        const index = place as number;
        const items = (pages[index] ?? []).map((id) => ({ tcrCampaignId: id, shownAs: "listed", facts: FACTS }));
        return ok({ items, ...(index + 1 < pages.length && { next: index + 1 }) });
      },
      standing: stands("standing"),
      accept: async (id) => {
        this.standings.set(id, ok(news("AwaitingUpstream")));
        return stands("accept")(id);
      },
      facts: async (id) => {
        this.asked.push(`facts ${id}`);
        return this.facts;
      },
      ensureSubscription: async (endpoint) => {
        this.preparations.push(endpoint);
        return this.prepared;
      },
      ensureMigrationSupported: async () => {
        this.preparations.push("migration");
        return this.prepared;
      },
    };
  }

  #unit(): ImportUnit {
    const followedCampaigns: Partial<FollowedCampaignStore> = {
      find: async (id) => this.kept.get(id)?.campaign,
      settle: async (claim, { askOn, ...outcome }) => {
        const row = this.kept.get(claim.tcrCampaignId) as Kept;
        const accountSid = row.campaign.accountSid ?? outcome.accountSid;
        row.campaign = { ...row.campaign, ...outcome, accountSid };
        row.failures = 0;
        if (row.askMs === claim.claimedUntil.getTime()) row.askMs = askOn?.getTime() ?? Number.POSITIVE_INFINITY;
        return row.campaign;
      },
      configsNaming: async (id) => [{ accountSid: "AC1", name: `Shop ${id}`, mayMigrate: true }],
    };
    const campaigns: Partial<CampaignStore> = {
      insert: async (campaign) => {
        const isNew = !this.imported.has(campaign.tcrCampaignId);
        if (isNew) this.imported.set(campaign.tcrCampaignId, campaign);
        return isNew;
      },
      find: async (_account, id) => this.imported.get(id),
      ownerOf: async (id) => this.imported.get(id)?.accountSid,
      update: async (id, facts) => {
        const campaign = this.imported.get(id) as Campaign;
        this.imported.set(id, { ...campaign, ...facts } as Campaign);
        return JSON.stringify(this.imported.get(id)) !== JSON.stringify(campaign);
      },
    };
    return {
      followedCampaigns: followedCampaigns as FollowedCampaignStore,
      campaigns: campaigns as CampaignStore,
      messagingConfigs: { unlinkedNaming: async () => [] } as unknown as ImportUnit["messagingConfigs"],
      phones: { lockAccount: async () => undefined } as unknown as PhoneStore,
      outbox: { emit: async (events) => void this.events.push(...events) },
      heldMessages: { release: async () => undefined, fail: async () => undefined },
      activationMs: 0,
    };
  }
}

let place: Place;
beforeEach(() => {
  place = new Place();
});

test("what waits for us is accepted, and what has become ours is imported once", async () => {
  place.listed = ok([["CTEST01"]]);
  place.standings.set("CTEST01", ok(news("AwaitingUs")));
  expect(await place.pass()).toMatchObject({ counts: { listed: 1, news: 1, asked: 1, accepted: 1, imported: 0 } });
  expect(place.kept.get("CTEST01")?.campaign).toMatchObject({ standing: "AwaitingUpstream", accountSid: null });
  place.standings.set("CTEST01", ok(news("Ours")));
  place.clock.nowMs += MINUTE;
  expect(await place.pass()).toMatchObject({ counts: { asked: 1, imported: 1 } });
  await place.queue().noteUpdate("CTEST01", place.clock.now());
  expect(await place.pass()).toMatchObject({ counts: { asked: 1, imported: 0, changed: 0 } });
  expect(place.events).toMatchObject([
    { type: "TcrCampaignImported", accountSid: "AC1", fields: { TcrCampaignId: "CTEST01" } },
  ]);
});

test("a campaign that news came of while it was asked about is asked about once more", async () => {
  place.standings.set("CTEST01", ok(news("AwaitingUpstream")));
  await place.queue().noteUpdate("CTEST01", place.clock.now());
  place.meanwhile = () => {
    place.meanwhile = () => undefined;
    place.standings.set("CTEST01", ok(news("Ours")));
    void place.queue().noteUpdate("CTEST01", place.clock.now());
  };
  await place.pass();
  await place.pass();
  expect(place.events).toHaveLength(1);
});

test("an owner that was named while the registry was asked stays the owner", async () => {
  place.standings.set("CTEST01", ok(news("Ours")));
  await place.queue().noteUpdate("CTEST01", place.clock.now());
  const row = place.kept.get("CTEST01") as Kept;
  place.meanwhile = () => {
    row.campaign = { ...row.campaign, accountSid: "AC2" };
    row.askMs = place.clock.nowMs;
  };
  await place.pass();
  await place.pass();
  expect(place.events).toMatchObject([{ accountSid: "AC2" }]);
});

describe("the work of a pass", () => {
  test("is what changed, not what there is", async () => {
    const ids = Array.from({ length: 300 }, (_, index) => `C${String(index).padStart(6, "0")}`);
    for (const id of ids) place.standings.set(id, ok(news("Ours")));
    place.listed = ok([ids.slice(0, 150), ids.slice(150)]);
    expect(await place.pass()).toMatchObject({ counts: { listed: 300, news: 300, asked: 300, imported: 300 } });
    place.asked.length = 0;
    place.listed = ok([ids.slice(0, 1)]);
    place.clock.nowMs += MINUTE;
    await place.queue().noteUpdate("C000007", place.clock.now());
    expect(await place.pass()).toMatchObject({ counts: { listed: 1, news: 0, asked: 1 } });
    expect(place.asked).toStrictEqual(["standing C000007", "facts C000007"]);
  });

  test("begins with all that is shared with us, then looks at what was shared lately, and once a day at all again", async () => {
    const began = place.clock.now();
    await place.pass();
    await place.pass();
    place.clock.nowMs += MINUTE;
    await place.pass();
    place.clock.nowMs += 24 * 60 * MINUTE;
    await place.pass();
    expect(place.sweeps).toStrictEqual([undefined, began, undefined]);
  });
});

describe("a registry", () => {
  test("is asked once an hour to allow migrations and to send notifications here", async () => {
    const both = ["migration", "https://t.example/registry"];
    await place.pass();
    place.clock.nowMs += 59 * MINUTE;
    await place.pass();
    expect(place.preparations).toStrictEqual(both);
    place.clock.nowMs += MINUTE;
    place.endpoint = undefined;
    await place.pass();
    expect(place.preparations).toStrictEqual([...both, "migration"]);
  });

  test("that cannot be informed is asked nothing, and one that will not hear of it is asked all the same", async () => {
    place.prepared = refused(DOWN);
    expect(await place.pass()).toMatchObject({ failure: DOWN.reason, counts: { listed: 0 } });
    expect([place.preparations, place.sweeps]).toStrictEqual([["migration"], []]);
    place.prepared = refused(GARBAGE);
    expect(await place.pass()).not.toHaveProperty("failure");
    expect(place.sweeps).toHaveLength(1);
    await place.pass();
    expect(place.preparations).toHaveLength(3);
  });
});

describe("a registry that", () => {
  test("is out of reach loses nothing: what was due is due", async () => {
    await place.queue().noteUpdate("CTEST01", place.clock.now());
    place.standings.set("CTEST01", refused(DOWN));
    expect(await place.pass()).toMatchObject({ failure: DOWN.reason, counts: { asked: 1, unreadable: 0 } });
    place.standings.set("CTEST01", ok(news("Ours")));
    expect(await place.pass()).toMatchObject({ counts: { imported: 1 } });
  });

  test("cannot list is not asked about campaigns when it is out of reach, and is when its lists alone are unreadable", async () => {
    await place.queue().noteUpdate("CTEST01", place.clock.now());
    place.listed = refused(DOWN);
    expect(await place.pass()).toMatchObject({ failure: DOWN.reason, counts: { asked: 0 } });
    place.listed = refused(GARBAGE);
    expect(await place.pass()).toMatchObject({ failure: GARBAGE.reason, counts: { asked: 1 } });
  });

  test("talks nonsense of one campaign tells of the others all the same", async () => {
    place.listed = ok([["CTEST01", "CTEST02"]]);
    place.standings.set("CTEST01", refused(GARBAGE));
    place.standings.set("CTEST02", ok(news("Ours")));
    const pass = await place.pass();
    expect(pass).toStrictEqual({ counts: expect.objectContaining({ asked: 2, unreadable: 1, imported: 1 }) });
    expect(place.kept.get("CTEST01")).toMatchObject({ failures: 1, askMs: place.clock.nowMs + MINUTE });
  });

  test("says that a campaign is ours but not what it is, is asked again, and nothing is imported", async () => {
    place.listed = ok([["CTEST01"]]);
    place.standings.set("CTEST01", ok(news("Ours")));
    place.facts = refused(GARBAGE);
    await place.pass();
    expect(place.events).toStrictEqual([]);
    place.facts = ok(FACTS);
    place.clock.nowMs += MINUTE;
    await place.pass();
    expect(place.events).toHaveLength(1);
  });
});

test("an imported campaign follows in status, and one that left us is as good as expired", async () => {
  place.listed = ok([["CTEST01"]]);
  place.standings.set("CTEST01", ok(news("Ours")));
  await place.pass();
  expect(place.imported.get("CTEST01")).toMatchObject({ source: "Registry", status: "Active" });
  const reported = async (standing: StandingUpdate["standing"], status: Campaign["status"]) => {
    place.standings.set("CTEST01", ok(news(standing)));
    place.facts = ok({ ...FACTS, status });
    await place.queue().noteUpdate("CTEST01", place.clock.now());
    const { counts } = await place.pass();
    return [counts.changed, place.imported.get("CTEST01")?.status];
  };
  expect(await reported("Ours", "Suspended")).toStrictEqual([1, "Suspended"]);
  expect(await reported("Ours", "Suspended")).toStrictEqual([0, "Suspended"]);
  expect(await reported("NotOurs", "Active")).toStrictEqual([1, "Expired"]);
  expect(await reported("Declined", "Active")).toStrictEqual([0, "Expired"]);
  expect(await reported("Ours", "Active")).toStrictEqual([1, "Active"]);
  const fields = (PreviousStatus: string, Status: string) => ({ fields: { PreviousStatus, Status } });
  expect(place.events).toMatchObject([
    { type: "TcrCampaignImported" },
    { type: "TcrCampaignStatusChanged", ...fields("Active", "Suspended") },
    { type: "TcrCampaignStatusChanged", ...fields("Suspended", "Expired") },
    { type: "TcrCampaignStatusChanged", ...fields("Expired", "Active") },
  ]);
});

test("a campaign kept by hand is the registry's once that calls it ours, and stays as it is before", async () => {
  const kept = { ...FACTS, tcrCampaignId: "CTEST01", accountSid: "AC2", messagingConfigSid: null, source: "Manual" };
  place.imported.set("CTEST01", { ...kept, status: "Suspended", importedOn: place.clock.now() } as Campaign);
  const reported = async (standing: StandingUpdate["standing"]) => {
    place.standings.set("CTEST01", ok(news(standing)));
    await place.queue().noteUpdate("CTEST01", place.clock.now());
    await place.pass();
    const { source, status, accountSid } = place.imported.get("CTEST01") as Campaign;
    return [source, status, accountSid];
  };
  expect(await reported("NotOurs")).toStrictEqual(["Manual", "Suspended", "AC2"]);
  expect(await reported("AwaitingUpstream")).toStrictEqual(["Manual", "Suspended", "AC2"]);
  expect(place.events).toStrictEqual([]);
  expect(await reported("Ours")).toStrictEqual(["Registry", "Active", "AC2"]);
  expect(await reported("NotOurs")).toStrictEqual(["Registry", "Expired", "AC2"]);
  expect(place.events).toMatchObject([
    { type: "TcrCampaignStatusChanged", fields: { PreviousStatus: "Suspended", Status: "Active" } },
    { type: "TcrCampaignStatusChanged", fields: { PreviousStatus: "Active", Status: "Expired" } },
  ]);
});
