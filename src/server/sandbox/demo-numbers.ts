// Gives the demo account four numbers that can send, on a config linked to a campaign, and puts numbers to buy into the
// inventory. Several demo accounts may share one database: each takes numbers that are free.

import type { OpenStore } from "../../adapters/store/store.ts";
import { systemClock } from "../../base/clock.ts";
import { makeIds } from "../../base/ids.ts";
import { EXPIRY_SECONDS, importCampaign, makeConfig } from "../../domain/campaigns/index.ts";
import { type InventoryStore, NUMBER_FEATURES, takePhone } from "../../domain/numbers/index.ts";

type Unit = Parameters<Parameters<OpenStore["transaction"]>[0]>[0];

const NUMBERS = 4;
const CAMPAIGNS_MAX = 99;
const AREA_CODES = ["415", "212", "312", "617", "512"];
// 555-0100 to 555-0199 are reserved for fiction; the lower ones have a meaning in the sandbox.
const FIRST_LINE = 150;
const LAST_LINE = 199;
const FIRST_LINE_TO_BUY = 180;
const LAST_LINE_TO_BUY = 189;

/** Numbers already in the inventory stay as they are. */
export async function stockInventory(inventory: InventoryStore, now: Date): Promise<void> {
  const numbers = linesFrom(FIRST_LINE_TO_BUY, LAST_LINE_TO_BUY);
  await inventory.add(
    Array.from(numbers, (number) => ({ number, country: null, features: NUMBER_FEATURES, createdOn: now })),
  );
}

export async function seedDemoNumbers(given: Unit, accountSid: string, now: Date): Promise<void> {
  // Demo numbers can send immediately.
  const unit = { ...given, activationMs: 0 };
  const messagingConfigSid = await seedConfig(unit, accountSid, now);
  let taken = 0;
  for (const number of linesFrom(FIRST_LINE, LAST_LINE)) {
    await unit.inventory.add([{ number, country: null, features: NUMBER_FEATURES, createdOn: now }]);
    const phone = await takePhone(unit, { accountSid, number, name: `Demo ${taken + 1}`, messagingConfigSid }, now);
    if (phone.ok && ++taken === NUMBERS) return;
  }
}

async function seedConfig(unit: Unit, accountSid: string, now: Date): Promise<string> {
  const sid = makeIds(systemClock).sid("MC");
  await makeConfig(unit, {
    sid,
    accountSid,
    name: "Demo",
    tcrCampaignId: null,
    sendingTimes: null,
    defaultExpirySeconds: EXPIRY_SECONDS.default,
    optOutReply: null,
    optInReply: null,
    helpReply: null,
    optOutKeywords: [],
    optInKeywords: [],
    helpKeywords: [],
    createdOn: now,
  });
  for (let n = 1; n <= CAMPAIGNS_MAX; n++) {
    const suffix = `DEMO${String(n).padStart(2, "0")}`;
    const tcrCampaignId = `C${suffix}`;
    // The id in the config's name makes the import link the campaign, as for any config.
    await unit.messagingConfigs.change(accountSid, sid, { name: `Demo ${tcrCampaignId}` });
    const imported = await importCampaign(unit, {
      tcrCampaignId,
      accountSid,
      tcrBrandId: `B${suffix}`,
      name: "Demo",
      status: "Active",
      // The simulated registry does not know it.
      source: "Manual",
      throughput: [],
      importedOn: now,
    });
    if (imported.ok) break;
  }
  return sid;
}

function* linesFrom(first: number, last: number): Generator<string> {
  for (const areaCode of AREA_CODES) {
    for (let line = first; line <= last; line++) yield `+1${areaCode}5550${line}`;
  }
}
