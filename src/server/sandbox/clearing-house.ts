// Opens the simulated port clearing house, and returns settings for the product like those of a real one.

import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { httpPorting } from "../../adapters/clearing-house/porting-settings.ts";
import type { SimulatedWorld } from "../../adapters/http/routes/operations/testkit.ts";
import type { Log } from "../../base/log.ts";
import { refused } from "../../base/result.ts";
import { ClearingHouse } from "../../sandbox/clearing-house/clearing-house.ts";
import type { Config } from "../config/config.ts";
import type { Parts } from "../running/parts.ts";

/** Its notifications arrive immediately; the poll finds what was not notified. */
const POLL_SECONDS = 5;
/** An order reaches the clearing house shortly after the API has accepted it. */
const LOOKS_MAX = 50;
const LOOK_MS = 100;

export async function openClearingHouse(parts: Parts, { dataDir, settings }: Config, log: Log) {
  // New at every start: anyone who knew them could forge notifications about ports.
  const ours = { token: newSecret(), webhookSecret: newSecret() };
  const listening = ClearingHouse.listen({
    host: "127.0.0.1",
    port: 0,
    token: ours.token,
    secret: ours.webhookSecret,
    portMs: settings.TANDEM_SANDBOX_PORT_SECONDS * 1000,
    directory: join(dataDir, "sandbox", "clearing-house"),
    log,
  });
  const house = await parts.keep("clearing house", listening);
  return {
    house,
    settings: httpPorting.parse({ kind: "http", baseUrl: house.url, ...ours, pollSeconds: POLL_SECONDS }),
  };
}

const newSecret = () => randomBytes(24).toString("base64url");

export function portDecider(
  house: ClearingHouse | undefined,
  sendWaiting: () => Promise<void>,
): SimulatedWorld["decidePort"] {
  return async (sid, decision) => {
    if (!house) return refused("The clearing house is not a simulated one.");
    for (let looks = 0; looks < LOOKS_MAX; looks++) {
      await sendWaiting();
      const decided = house.decide(sid, decision);
      if (decided.ok) return decided;
      if (decided.refusal.code !== "UNKNOWN_ORDER") return refused(decided.refusal.detail ?? decided.refusal.code);
      await pause(LOOK_MS);
    }
    return refused("The simulated clearing house has not received this order.");
  };
}
