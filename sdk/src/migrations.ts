// The progress of moving a campaign here, including numbers that may be ported in.

import type { Migration } from "./api.generated.ts";
import type { Answer, CallOptions } from "./exchange.ts";
import type { PlainMigrations } from "./methods.generated.ts";

export interface MigrationOptions extends CallOptions {
  /** Numbers that you may port in: the findings then include whether they look portable. */
  readonly numbers?: readonly string[] | string;
}

export interface Migrations extends Omit<PlainMigrations, "get"> {
  /** Only reads: nothing is submitted to the registry. */
  get(tcrCampaignId: string, options?: MigrationOptions): Promise<Answer<Migration>>;
}

export function migrationsOf(plain: PlainMigrations): Migrations {
  return {
    ...plain,
    get: (tcrCampaignId, { numbers = [], ...options } = {}) => {
      const together = [numbers].flat().join(",");
      return plain.get(tcrCampaignId, { ...options, ...(together !== "" && { numbers: together }) });
    },
  };
}
