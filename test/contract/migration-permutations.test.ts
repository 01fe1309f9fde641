// A migration ends the same whatever the order of its steps, and even when they happen at the same time: every number
// is Active after the same three moves, with one event for each, and one event for the campaign.

import { describe, expect, test, vi } from "vitest";
import { json } from "../tandem.ts";
import type { TestAccount } from "./account.ts";
import { importsOf, migrate, migrationThatIs, newMigrant, useTandemForMigrations } from "./migrations.ts";
import { answerOf, newCampaignId, newConfig, SOON, toldOf } from "./numbers.ts";
import { decide, orderOf, portIn, strangeNumbers } from "./port-orders.ts";

const STEPS = ["config", "order", "port", "campaign", "link"] as const;
type Step = (typeof STEPS)[number];

/** The steps that must come before each. */
const AFTER: Readonly<Record<Step, readonly Step[]>> = {
  config: [],
  order: ["config"],
  port: ["order"],
  campaign: [],
  link: ["config", "campaign"],
};

/** How the campaign is linked to its config. */
const WAYS = ["by its name", "from the config's side", "from the campaign's side", "though two name it"] as const;
type Way = (typeof WAYS)[number];

function orders(done: readonly Step[] = []): readonly (readonly Step[])[] {
  if (done.length === STEPS.length) return [done];
  const next = STEPS.filter((step) => !done.includes(step) && AFTER[step].every((before) => done.includes(before)));
  return next.flatMap((step) => orders([...done, step]));
}

/** A name is only matched when the campaign arrives: the link is made then, and only if the config exists already. */
function isPossible(steps: readonly Step[], way: Way): boolean {
  const isNamedBefore = steps.indexOf("config") < steps.indexOf("campaign");
  if (way === "by its name") return isNamedBefore && steps.indexOf("link") === steps.indexOf("campaign") + 1;
  return way !== "though two name it" || isNamedBefore;
}

const CASES = WAYS.flatMap((way) =>
  orders()
    .filter((steps) => isPossible(steps, way))
    .map((steps) => ({ way, steps })),
);

const tandem = useTandemForMigrations("0.05");

interface Move {
  readonly account: TestAccount;
  readonly id: string;
  readonly numbers: readonly string[];
  config: string;
  order: string;
}

async function newMove(): Promise<Move> {
  return { account: await newMigrant(tandem), id: newCampaignId(), numbers: strangeNumbers(2), config: "", order: "" };
}

async function take(step: Step, move: Move, way: Way): Promise<void> {
  const { account, id, numbers } = move;
  switch (step) {
    case "config": {
      const isNamed = way === "by its name" || way === "though two name it";
      move.config = await newConfig(account, { name: isNamed ? `Shop ${id}` : "Shop" });
      if (way === "though two name it") await newConfig(account, { name: `Other ${id}` });
      return;
    }
    case "order":
      move.order = (await portIn(account, move.config, numbers)).sid;
      return;
    case "port":
      await decide(account, move.order, "complete");
      await vi.waitFor(async () => expect((await orderOf(account, move.order)).status).toBe("Completed"), SOON);
      return;
    case "campaign":
      await answerOf(await migrate(account, id), 200);
      await vi.waitFor(async () => expect(await importsOf(account)).toHaveLength(1), SOON);
      return;
    case "link":
      if (way === "by its name") return;
      await answerOf(
        way === "from the config's side"
          ? await account.call(`/v1/MessagingConfigs/${move.config}`, json("PATCH", { tcrCampaignId: id }))
          : await account.call(`/v1/TcrCampaigns/${id}`, json("PATCH", { messagingConfigSid: move.config })),
        200,
      );
      return;
  }
}

async function expectTheEnd({ account, id, numbers, config }: Move, way: Way): Promise<void> {
  const end = await migrationThatIs(account, id, { status: "Completed" });
  expect(end).toMatchObject({ linked: true, messagingConfigSid: config });
  expect(end.numberCounts).toEqual([{ status: "Active", count: numbers.length }]);
  const told = await toldOf(account);
  for (const number of numbers) {
    expect(told.filter((line) => line.startsWith(number))).toEqual([
      `${number}: none → PendingPortIn`,
      `${number}: PendingPortIn → PendingTcrCampaignAdd`,
      `${number}: PendingTcrCampaignAdd → Active`,
    ]);
  }
  expect(told).toHaveLength(3 * numbers.length);
  const outcome = { "by its name": "Linked", "though two name it": "SeveralMatches" }[way as string] ?? "NoMatch";
  expect(await importsOf(account)).toEqual([`${id} ${outcome}`]);
}

test("there are as many orders as there can be", () => {
  expect(orders()).toHaveLength(9);
  expect(CASES.filter(({ way }) => way === "by its name")).toHaveLength(3);
});

describe.concurrent("the end is the same", () => {
  test.each(CASES.map(({ way, steps }) => [way, steps.join(", "), steps] as const))("%s: %s", async (way, _, steps) => {
    const move = await newMove();
    for (const step of steps) await take(step, move, way);
    await expectTheEnd(move, way);
  });

  test.each([1, 2, 3])("when the port and the campaign come at once (%i)", async () => {
    const move = await newMove();
    await take("config", move, "by its name");
    await take("order", move, "by its name");
    await Promise.all([take("port", move, "by its name"), take("campaign", move, "by its name")]);
    await expectTheEnd(move, "by its name");
  });

  test.each([1, 2, 3])("when the port comes and the campaign is linked from both sides at once (%i)", async () => {
    const move = await newMove();
    const way = "from the config's side";
    for (const step of ["config", "order", "campaign"] as const) await take(step, move, way);
    await Promise.all([
      take("port", move, way),
      take("link", move, way),
      take("link", move, "from the campaign's side"),
    ]);
    await expectTheEnd(move, way);
  });
});
