// Checks a move without changing anything: all of it if a config already names the campaign, otherwise whether the
// numbers can be ported.

import type { MigrationPreflightFinding } from "@tandem/sdk";
import { client } from "../../api/client.ts";

export async function preflight(
  campaign: string | undefined,
  numbers: readonly string[],
): Promise<readonly MigrationPreflightFinding[]> {
  if (campaign !== undefined) return (await client.migrations.get(campaign, { numbers })).data.preflight;
  const findings: MigrationPreflightFinding[] = [];
  // One after the other, because of the account's rate limit.
  for (const number of numbers) findings.push(await findingOf(number));
  return findings;
}

async function findingOf(number: string): Promise<MigrationPreflightFinding> {
  const { portable, reason, losingCarrier } = (await client.portIn.check(number)).data;
  const carrier = losingCarrier === null ? "" : `, from ${losingCarrier}`;
  const says = portable ? `It looks portable${carrier}.` : (reason ?? "It cannot be ported.");
  return { check: "Number", number, passed: portable, says };
}
