// The dry run of `tandem campaigns migrate` for a campaign that is unknown to the account: checks what can be checked
// in advance, and creates nothing.

import { type MigrationPreflightFinding, type TandemClient, TandemError } from "../../../../sdk/src/index.ts";
import { EXIT } from "../../exit-codes.ts";
import { print, printJson } from "../../output.ts";
import { findingLine } from "./migration-text.ts";

export const configName = (id: string) => `Campaign ${id}`;

export async function planUnknown(
  client: TandemClient,
  { id, numbers }: { readonly id: string; readonly numbers: readonly string[] },
  { json }: { readonly json?: true },
): Promise<number> {
  const { data: account } = await client.account.get();
  const mayMigrate = account.features.includes("campaignMigration");
  const isConnected = account.upstreamCnpId !== null;
  const finding = (
    check: MigrationPreflightFinding["check"],
    passed: boolean,
    says: string,
    number: string | null = null,
  ) => ({
    check,
    number,
    passed,
    says,
  });
  const preflight: MigrationPreflightFinding[] = [
    finding("Feature", mayMigrate, `Campaign migration is ${mayMigrate ? "" : "not "}switched on for your account.`),
    isConnected
      ? finding("Registry", true, `Our id at the campaign registry is ${account.upstreamCnpId}.`)
      : finding("Registry", false, `No campaign registry is connected: ask ${account.supportContact} to enter ${id}.`),
    finding("Config", false, `No MessagingConfig of yours names ${id}, and it is not here.`),
  ];
  for (const number of numbers) {
    const { passed, says } = await portabilityOf(client, number);
    preflight.push(finding("Number", passed, says, number));
  }
  const messagingConfig = configName(id);
  if (json) {
    printJson({ tcrCampaignId: id, status: "Planned", dryRun: true, preflight, wouldMake: { messagingConfig } });
  } else {
    const next = `→ Without --dry-run a MessagingConfig called "${messagingConfig}" is made first.`;
    print(`${id}: unknown here\n\n${preflight.map(findingLine).join("\n")}\n\n${next}\n`);
  }
  return EXIT.refused;
}

async function portabilityOf(
  client: TandemClient,
  number: string,
): Promise<Pick<MigrationPreflightFinding, "passed" | "says">> {
  try {
    const { portable, reason, type, losingCarrier } = (await client.portIn.check(number)).data;
    if (!portable) return { passed: false, says: reason ?? "It cannot be ported in." };
    return { passed: true, says: `${type}${losingCarrier === null ? "" : ` of ${losingCarrier}`}; it looks portable.` };
  } catch (error) {
    if (error instanceof TandemError && error.status === 400) return { passed: false, says: error.message };
    throw error;
  }
}
