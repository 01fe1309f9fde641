// Migrates a campaign and its numbers from the command line, against the whole product with its sandbox.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { useTandemForMigrations } from "../contract/migrations.ts";
import { strangeNumbers } from "../contract/port-orders.ts";
import { json } from "../tandem.ts";
import { runCommand, startCommand } from "./tandem-command.ts";

const ORDER = {
  accountNumber: "A-123",
  subscriber: { type: "Business", name: "Shop Inc.", authorizedPerson: "Ann Smith" },
  serviceAddress: { street: "1 Main St", city: "Denver", state: "CO", postalCode: "80202", country: "US" },
};

const tandem = useTandemForMigrations("0.2");
let folder: string;
let data: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tandem-cli-migration-"));
  data = join(folder, "order.json");
  writeFileSync(data, JSON.stringify(ORDER));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const environment = () => ({ TANDEM_DATA_DIR: tandem.dataDir });
const run = (...args: readonly string[]) => runCommand(args, { environment: environment(), cwd: folder });

async function asJson<Data>(...args: readonly string[]): Promise<Data> {
  const ended = await run(...args, "--json");
  expect(ended).toMatchObject({ code: 0 });
  return JSON.parse(ended.stdout) as Data;
}

async function letterFor(numbers: readonly string[], name: string): Promise<string> {
  const path = join(folder, name);
  expect(await run("port-in", "loa", ...numbers, "--data", data, "--out", path)).toMatchObject({ code: 0 });
  return path;
}

interface Order {
  readonly sid: string;
  readonly status: string;
}

interface Migration {
  readonly status: string;
  readonly portOrders: readonly { readonly sid: string }[];
  readonly numberCounts: readonly { readonly status: string; readonly count: number }[];
}

/** What the command would show, without the time to start one. */
async function get<Data>(path: string): Promise<Data> {
  return (await (await tandem.get(path)).json()) as Data;
}

const UNTIL = { timeout: 120_000, interval: 100 };

describe("tandem port-in", () => {
  test("tells whether a number can be had", async () => {
    const { code, stdout } = await run("port-in", "check", "+13035550123", "+19995550100");
    expect({ code, stdout }).toMatchObject({ code: 1, stdout: expect.stringMatching(/\+13035550123 +yes +Landline/) });
    expect(stdout).toMatch(/\+19995550100 +no +Unknown/);
  });

  test("orders numbers with a letter, answers an exception and cancels", async () => {
    const [number] = strangeNumbers(1, "303") as [string];
    const letter = await letterFor([number], "loa.pdf");
    expect(readFileSync(letter).subarray(0, 5).toString()).toBe("%PDF-");
    const { sid: config } = await asJson<{ sid: string }>("configs", "create", "Port");
    const order = ["port-in", "submit", number, "--config", config, "--data", data];
    const made = await asJson<{ sid: string; phones: { status: string }[] }>(...order, "--file", letter);
    expect(made.phones).toMatchObject([{ status: "PendingPortIn" }]);
    await asJson("sandbox", "port", made.sid, "--outcome", "exception", "--reason", "ACCOUNT_NUMBER_MISMATCH");
    const statusOf = async () => (await get<Order>(`/v1/Phones/port-in/${made.sid}`)).status;
    await expect.poll(statusOf, UNTIL).toBe("Exception");
    const { stdout, stderr } = await run("port-in", "show", made.sid);
    expect(stdout).toMatch(/^Subscriber +Shop Inc\. \(Business\), by Ann Smith$/m);
    expect(stdout).toMatch(new RegExp(`^\\${number} +Exception`, "m"));
    expect(stderr).toContain(`Answer it with another accountNumber: tandem port-in answer ${made.sid}`);
    expect(await asJson<Order>("port-in", "answer", made.sid, "--account-number", "B-1")).toMatchObject({
      accountNumber: "B-1",
    });
    await expect.poll(statusOf, UNTIL).toBe("Submitted");
    await asJson("port-in", "cancel", made.sid);
    await expect.poll(statusOf, UNTIL).toBe("Cancelled");
    const cancelled = await asJson<Order[]>("port-in", "list", "--status", "cancelled");
    expect(cancelled.map(({ sid }) => sid)).toEqual([made.sid]);
  });

  test("what is refused is reported with all that is wrong, and the command line is looked at first", async () => {
    const letter = await letterFor(strangeNumbers(1, "303"), "refused.pdf");
    const { code, stderr } = await run("port-in", "submit", "pizza", "--file", letter);
    expect(code).toBe(1);
    for (const field of ["messagingConfigSid", "phones[0].number", "accountNumber", "subscriber", "serviceAddress"]) {
      expect(stderr).toContain(field);
    }
    expect(await run("port-in", "submit", "+1")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("tandem port-in loa"),
    });
    expect(await run("port-in", "loa", "+1", "--out", letter, "--order", "PO1")).toMatchObject({ code: 1 });
  });
});

describe("tandem campaigns migrate", () => {
  test("leads from nothing to numbers that are all Active", async () => {
    const id = "CMOVE01";
    const numbers = strangeNumbers(3, "303");
    expect(await run("campaigns", "migrate", id, ...numbers, "--dry-run")).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(
        /^CMOVE01: unknown here\n\n✓ feature: .*\n✓ registry: .*\n✗ config: .*\n(✓ \+1303\d+: .*\n){3}\n→ .*"Campaign CMOVE01"/,
      ),
    });
    expect(await get("/v1/MessagingConfigs")).not.toMatchObject({ items: [{ name: `Campaign ${id}` }] });
    expect(await run("campaigns", "migrate", id, ...numbers)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /✓ feature: .*✓ \+1303.*→ Order the numbers .*→ In the campaign registry choose S/s,
      ),
    });
    const letter = await letterFor(numbers, "move.pdf");
    const order = [...numbers, "--data", data, "--file", letter];
    const watching = startCommand(["campaigns", "migrate", id, ...order, "--watch"], {
      environment: environment(),
      cwd: folder,
    });
    const view = () => get<Migration>(`/v1/Migrations/${id}`);
    await expect.poll(async () => (await view()).portOrders.length, UNTIL).toBe(1);
    // Run again during the migration, it orders nothing twice.
    const { portOrders } = await asJson<Migration>("campaigns", "migrate", id, ...order);
    expect(portOrders).toHaveLength(1);
    await asJson("sandbox", "port", portOrders[0]?.sid as string);
    await asJson("sandbox", "migrate", id);
    const { code, stdout, stderr } = await watching.ended;
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stderr).toMatch(/Port order PO[0-9a-f]{32} was made for 3 numbers\./);
    expect(stderr).toContain(`Active: ${numbers.join(", ")}`);
    expect(stderr).toContain(`${id} has come: Linked`);
    expect(stdout).toContain(`${id}: Completed`);
    expect(await view()).toMatchObject({ status: "Completed", numberCounts: [{ status: "Active", count: 3 }] });
  });

  test("leads there as well when the campaign has come before its config and its numbers", async () => {
    const id = "CMOVE03";
    const numbers = strangeNumbers(2, "303");
    await asJson("sandbox", "migrate", id);
    interface Moved {
      readonly linkOutcome: string | null;
      readonly linked: boolean;
      readonly campaign: { readonly messagingConfigSid: string | null } | null;
    }
    const view = () => get<Migration & Moved>(`/v1/Migrations/${id}`);
    await expect.poll(async () => (await view()).linkOutcome, UNTIL).toBe("NoMatch");
    const letter = await letterFor(numbers, "first.pdf");
    const phones = join(folder, "phones.json");
    writeFileSync(phones, JSON.stringify({ ...ORDER, phones: numbers.map((number) => ({ number })) }));
    const migrate = ["campaigns", "migrate", id, "--data", phones];
    const dry = await run(...migrate, "--dry-run");
    expect(dry).toMatchObject({ code: 1, stdout: expect.stringMatching(/✗ config: .*\n✓ \+1303/) });
    const { code, stderr } = await run(...migrate, "--file", letter);
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining("is linked to MC") });
    expect(stderr).toMatch(/Port order PO[0-9a-f]{32} was made for 2 numbers\./);
    const { linked, portOrders } = await view();
    expect({ linked, orders: portOrders.length }).toEqual({ linked: true, orders: 1 });
    await asJson("sandbox", "port", portOrders[0]?.sid as string);
    const ended = await run("campaigns", "migrate", id, "--watch");
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining(`${id}: Completed`) });
    const other = await run(...migrate, "+13035550199", "--dry-run");
    expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining("name different numbers") });
  });

  test("what is in the way is shown and ends with 1", async () => {
    const id = "CMOVE02";
    for (const name of [`a ${id}`, `b ${id}`]) await tandem.get("/v1/MessagingConfigs", json("POST", { name }));
    expect(await run("campaigns", "migrate", id)).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("✗ Several unlinked MessagingConfigs name CMOVE02"),
    });
    expect(await run("campaigns", "migrate", "nonsense")).toMatchObject({ code: 2 });
  });
});
