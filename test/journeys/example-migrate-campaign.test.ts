// The example in examples/migrate-campaign runs as its README says, and prints the specification's traffic table.

import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { useTandemForMigrations } from "../contract/migrations.ts";
import { json } from "../tandem.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const EXAMPLE = "examples/migrate-campaign/migrate.ts";

const tandem = useTandemForMigrations("0.2");

test("the example prints the three rows of the traffic table as it sees them", async () => {
  const { url, accountSid, token } = tandem;
  const environment = { TANDEM_URL: url, TANDEM_ACCOUNT_SID: accountSid, TANDEM_TOKEN: token };
  const child = spawn(process.execPath, ["--import", "tsx", EXAMPLE, "CSHOP01", "+13035570100"], {
    cwd: ROOT,
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [stdout, stderr] = ["", ""];
  let letGo: Promise<unknown> | undefined;
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk.toString();
    if (stdout.includes("\n")) letGo ??= completePort();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  await letGo;
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const [first, second, third, last] = stdout.trimEnd().split("\n");
  const here = "via the service";
  expect(first).toMatch(
    /^Port-in submitted \| not here \(.* Messages to \S+ still go to the carrier .*\) \| not here \(It is PendingPortIn .*\)$/,
  );
  expect(second).toMatch(/^Port completed \| via the service \| not here \(It is PendingTcrCampaignAdd .*\)$/);
  expect(third).toBe(`Campaign migrated and attached | ${here} | ${here}`);
  expect(last).toBe(
    "CSHOP01 is Completed: PendingPortIn, PendingTcrCampaignAdd, Active. What was held meanwhile is delivered.",
  );
});

async function completePort(): Promise<void> {
  const { items } = (await (await tandem.get("/v1/Phones/port-in")).json()) as { items: { sid: string }[] };
  const decided = await tandem.get("/testkit/v1/Emulate/port", json("POST", { sid: items[0]?.sid }));
  expect(decided.status).toBe(200);
}
