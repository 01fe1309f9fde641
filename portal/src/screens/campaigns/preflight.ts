// Looks at a move without changing anything: the whole of it where a config names the campaign already, and else
// whether the numbers can be ported.

import type { MigrationPreflightFinding } from "@tandem/sdk";
import { client } from "../../api/client.ts";

export async function preflight(
  campaign: string | undefined,
  numbers: readonly string[],
): Promise<readonly MigrationPreflightFinding[]> {
  if (campaign !== undefined) return (await client.migrations.get(campaign, { numbers })).data.preflight;
  const findings: MigrationPreflightFinding[] = [];
  // One after the other: an account may ask only so often.
  for (const number of numbers) findings.push(await findingOf(number));
  return findings;
}

async function findingOf(number: string): Promise<MigrationPreflightFinding> {
  const { portable, reason, losingCarrier } = (await client.portIn.check(number)).data;
  const carrier = losingCarrier === null ? "" : `, from ${losingCarrier}`;
  const says = portable ? `It looks portable${carrier}.` : (reason ?? "It cannot be ported.");
  return { check: "Number", number, passed: portable, says };
}
