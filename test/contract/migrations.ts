// Migrations for tests: requested by plain HTTP, in the sandbox.

import { expect, vi } from "vitest";
import { json, type Tandem, type TandemApi } from "../tandem.ts";
import { type UsedTandem, useTandem } from "../use-tandem.ts";
import { newAccount, type TestAccount } from "./account.ts";
import { answerOf, type List, SOON, WIDE } from "./numbers.ts";

export interface MigrationBody {
  readonly tcrCampaignId: string;
  readonly status: string;
  readonly dryRun: boolean;
  readonly upstreamCnpId: string | null;
  readonly registry: { readonly standing: string; readonly reason: string | null } | null;
  readonly messagingConfigSid: string | null;
  readonly linked: boolean;
  readonly numberCounts: readonly { readonly status: string; readonly count: number }[];
  readonly blockers: readonly { readonly code: string; readonly says: string; readonly numbers: readonly string[] }[];
  readonly nextSteps: readonly { readonly who: string; readonly says: string }[];
  readonly preflight: readonly {
    readonly check: string;
    readonly number: string | null;
    readonly passed: boolean;
    readonly says: string;
  }[];
  readonly linkOutcome: string | null;
  readonly portOrders: readonly { readonly sid: string; readonly status: string }[];
  readonly numbers: readonly {
    readonly number: string;
    readonly status: string;
    readonly portStatus: string | null;
    readonly timeline: readonly { readonly at: string; readonly status: string }[];
  }[];
  readonly times: readonly { readonly step: string; readonly seconds: number; readonly endedOn: string | null }[];
}

/** A server for which ports are completed by hand, and the registry accepts immediately. */
export const useTandemForMigrations = (activationSeconds: string): UsedTandem<Tandem> =>
  useTandem({
    environment: {
      TANDEM_SANDBOX_PORT_SECONDS: "3600",
      TANDEM_SANDBOX_ACCEPTANCE_SECONDS: "0",
      TANDEM_ACTIVATION_SECONDS: activationSeconds,
    },
  });

/** An account to which campaigns may be migrated, whose limits do not slow tests down. */
export const newMigrant = (tandem: TandemApi, more: object = {}): Promise<TestAccount> =>
  newAccount(tandem, {
    features: ["campaignMigration"],
    limits: { read: WIDE, write: WIDE, send: WIDE, sendToRecipient: WIDE, lookup: WIDE },
    ...more,
  });

export const migrate = (
  account: Pick<TestAccount, "call">,
  tcrCampaignId: string,
  outcome = "accept",
): Promise<Response> =>
  account.call("/testkit/v1/Emulate/campaign-migration", json("POST", { tcrCampaignId, outcome }));

export async function migrationOf(account: TestAccount, id: string, query = ""): Promise<MigrationBody> {
  return answerOf(await account.call(`/v1/Migrations/${id}${query}`), 200);
}

/** Resolves with the migration when it matches. */
export async function migrationThatIs(account: TestAccount, id: string, wanted: object): Promise<MigrationBody> {
  return vi.waitFor(async () => {
    const migration = await migrationOf(account, id);
    expect(migration).toMatchObject(wanted);
    return migration;
  }, SOON);
}

export async function migrationsOf(account: TestAccount, query = ""): Promise<readonly MigrationBody[]> {
  const { items } = await answerOf<List<MigrationBody>>(await account.call(`/v1/Migrations${query}`), 200);
  return items;
}

export const codesOf = ({ blockers }: Pick<MigrationBody, "blockers">) => blockers.map(({ code }) => code);

interface Told {
  readonly type: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** The account's events of imported campaigns: id and how each was linked, oldest first. */
export async function importsOf(account: TestAccount): Promise<readonly string[]> {
  const path = "/v1/Events?PageSize=1000&OrderByDirection=Ascending&Type=TcrCampaignImported";
  const { items } = await answerOf<List<Told>>(await account.call(path), 200);
  return items.map(({ payload }) => `${payload.TcrCampaignId} ${payload.LinkOutcome}`);
}
