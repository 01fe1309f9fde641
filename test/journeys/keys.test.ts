// `tandem keys rotate`: with the key file of one machine and of two, and with keys in the environment.

import { randomBytes } from "node:crypto";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import twilio from "twilio";
import { afterAll, expect, test } from "vitest";
import { readSecretKeys } from "../../src/adapters/secrets.ts";
import { newAccount, type TestAccount } from "../contract/account.ts";
import { type MediaServer, PNG, startMediaServer } from "../contract/media-server.ts";
import { emulateInbound, newMessenger, newSender } from "../contract/messages.ts";
import { answerOf, type List, newConfig, SOON } from "../contract/numbers.ts";
import { portIn, strangeNumbers } from "../contract/port-orders.ts";
import { type HealthyReceiver, startHealthy } from "../faults/webhook-receivers.ts";
import { dropDatabase, newDatabase } from "../shared-database.ts";
import { basic, failToStart, forgetTandem, json, startTandem, type Tandem } from "../tandem.ts";
import { databaseOf } from "../tandem-database.ts";
import { type RunningCommand, startCommand } from "./tandem-command.ts";

const folder = mkdtempSync(join(tmpdir(), "tandem-keys-"));
const receivers: HealthyReceiver[] = [];
afterAll(async () => {
  for (const receiver of receivers) await receiver.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Port orders stay open, and all servers share one operator token. */
const SETTINGS = { TANDEM_SANDBOX_PORT_SECONDS: "86400", TANDEM_OPERATOR_TOKEN: "the-operators-own-token" };

const keysIn = (dataDir: string) => readSecretKeys(readFileSync(join(dataDir, "secret.key"), "utf8"));
const rotate = (environment: Readonly<Record<string, string>>, ...options: string[]) =>
  startCommand(["keys", "rotate", ...options], { environment });
const keyStateOf = async (tandem: Tandem) =>
  ((await (await tandem.get("/readyz")).json()) as { secretKey: string }).secretKey;

/** Creates values that only the secret key can open. */
async function keepSecrets(tandem: Tandem) {
  const account = await newAccount(tandem, { features: ["campaignMigration"], token: { signs: true } });
  const phones = strangeNumbers(1).map((number) => ({ number, pin: "2468" }));
  const { sid } = await portIn(account, await newConfig(account), phones);
  const order = json("POST", { name: "Kept" });
  const withKey = { ...order, headers: { ...order.headers, "Idempotency-Key": sid } };
  const answer = await (await tandem.operator("/operator/v1/Accounts", withKey)).text();
  const receiver = await startHealthy();
  receivers.push(receiver);
  const webhook = json("POST", { type: "OptOutChanged", url: receiver.url, payloadShape: "Twilio" });
  const { sid: webhookSid } = await answerOf<{ sid: string }>(await account.call("/v1/Webhooks", webhook), 201);
  return async (now: Tandem) => {
    const headers = basic(account.sid, account.token);
    const count = receiver.requests.length + 1;
    const tried = await fetch(`${now.url}/v1/Webhooks/${webhookSid}/test`, { method: "POST", headers });
    await answerOf(tried, 202);
    await receiver.whenReceived(count);
    for (const request of receiver.requests) {
      const parameters = Object.fromEntries(new URLSearchParams(request.body.toString()));
      const signature = String(request.headers["x-twilio-signature"]);
      expect(twilio.validateRequest(account.token, signature, receiver.url, parameters)).toBe(true);
    }
    const revealed = await now.operator(`/operator/v1/PortOrders/${sid}/revealPins`, { method: "POST" });
    expect(await answerOf(revealed, 200)).toMatchObject({ pins: [{ pin: "2468" }] });
    const repeated = await now.operator("/operator/v1/Accounts", withKey);
    expect(repeated.headers.get("idempotent-replayed")).toBe("true");
    expect(await repeated.text()).toBe(answer);
  };
}

/** The URL of an attachment, which works without credentials. */
async function linkOf(tandem: Tandem, account: TestAccount, media: MediaServer): Promise<string> {
  const database = databaseOf(tandem);
  const { number } = await newSender(tandem, database, account).finally(() => database.close());
  const message = { from: "+12125550142", to: number, text: "Look", mediaUrls: [media.urlOf("/a.png")] };
  await emulateInbound(account, message);
  const list = await account.call("/messaging/v1/InboundMessages");
  const { items } = await answerOf<List<{ mediaUrls: readonly string[] }>>(list, 200);
  return String(items[0]?.mediaUrls[0]).replace("localhost", "127.0.0.1");
}

/** Resolves when the command has reported how many processes it waits for. */
async function waitsFor({ child }: RunningCommand, processes: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    child.stderr?.on("data", (chunk: Buffer) => chunk.includes(`yet: ${processes}.`) && resolve());
    child.once("close", () => reject(new Error("it did not wait")));
  });
}

test("the key of a running server is rotated, and everything is as it was, after a restart, too", async () => {
  const dataDir = join(folder, "one");
  const media = await startMediaServer();
  let tandem = await startTandem({ dataDir, environment: SETTINGS });
  try {
    const expectSecrets = await keepSecrets(tandem);
    const account = await newMessenger(tandem);
    const link = await linkOf(tandem, account, media);
    const expectLink = async () => {
      const { pathname, search } = new URL(link);
      const answer = await fetch(tandem.url + pathname + search);
      expect([answer.status, Buffer.from(await answer.arrayBuffer())]).toStrictEqual([200, Buffer.from(PNG)]);
    };
    await expectLink();
    const before = readFileSync(join(dataDir, "secret.key"), "utf8");

    const dry = await rotate({ TANDEM_DATA_DIR: dataDir }, "--dry-run").ended;
    expect(dry).toMatchObject({ code: 0, stderr: expect.stringMatching(/^To be sealed with a new key: \d+ webhook/) });
    expect(readFileSync(join(dataDir, "secret.key"), "utf8")).toBe(before);

    const { code, stdout, stderr } = await rotate({ TANDEM_DATA_DIR: dataDir }, "--json").ended;
    expect({ code, stderr }).toStrictEqual({ code: 0, stderr: expect.any(String) });
    const told = JSON.parse(stdout) as { found: Record<string, number>; sealed: number };
    expect(told).toMatchObject({ keys: join(dataDir, "secret.key"), isResumed: false, unreadable: 0 });
    expect(told.found).toMatchObject({ "PINs of port orders": 1, "remembered answers": 1, "signing tokens": 2 });
    expect(told.sealed).toBeGreaterThanOrEqual(2);
    expect(keysIn(dataDir)).toHaveLength(1);
    expect(readFileSync(join(dataDir, "secret.key"), "utf8")).not.toBe(before);
    expect(statSync(join(dataDir, "secret.key")).mode & 0o777).toBe(0o600);

    await expectSecrets(tandem);
    await expectLink();
    expect(await keyStateOf(tandem)).toBe("ok");
    const doctor = await startCommand(["doctor"], { environment: { TANDEM_DATA_DIR: dataDir, TANDEM_PORT: "0" } })
      .ended;
    expect(doctor.stdout).toMatch(/^ok +Secret key +\S+secret\.key$/m);
    expect(await tandem.stop()).toBe(0);

    // The server is stopped: its database runs for the command alone.
    const again = await rotate({ TANDEM_DATA_DIR: dataDir }).ended;
    expect(again).toMatchObject({ code: 0, stderr: expect.stringMatching(/^Sealed \d+ values with the new key\./m) });
    tandem = await startTandem({ dataDir, environment: SETTINGS });
    await expectSecrets(tandem);
    await expectLink();
  } finally {
    await tandem.stop();
    await media.close();
    forgetTandem(dataDir);
  }
});

test("keys in the environment: restart with both, rotate, restart with the new one", async () => {
  const url = await newDatabase();
  const [older, newer] = [randomBytes(32).toString("base64"), randomBytes(32).toString("hex")];
  const start = (key: string) =>
    startTandem({ databaseUrl: url, environment: { ...SETTINGS, TANDEM_SECRET_KEY: key } });
  const settings = (key: string) => ({ TANDEM_DATABASE_URL: url, TANDEM_DATA_DIR: folder, TANDEM_SECRET_KEY: key });
  const both = `${newer},${older}`;
  const first = await start(older);
  const expectSecrets = await keepSecrets(first);
  expect(await rotate(settings(older)).ended).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/holds one key/),
  });
  expect(await rotate(settings(newer)).ended).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/TANDEM_SECRET_KEY is not the secret key of this database/),
  });

  // While a process that has only the previous key runs, that key still seals, and every process can read.
  const second = await start(both);
  expect(await keyStateOf(second)).toBe("the first key waits for processes that do not have it");
  await expectSecrets(second);
  const expectMore = await keepSecrets(second);
  await expectMore(first);
  const waiting = rotate(settings(both));
  await waitsFor(waiting, 1);
  waiting.child.kill("SIGINT");
  expect(await waiting.ended).toMatchObject({ code: 130, stderr: expect.stringMatching(/run it again to go on/) });
  expect(await first.stop()).toBe(0);

  const rotated = await rotate(settings(both)).ended;
  expect(rotated).toMatchObject({ code: 0, stderr: expect.stringMatching(/restart the servers with the first key/) });
  await expectSecrets(second);
  expect(await keyStateOf(second)).toBe("ok");
  expect(await second.stop()).toBe(0);
  expect(await failToStart({ ...settings(older), TANDEM_SANDBOX: "on" })).toMatchObject({
    code: 1,
    output: expect.stringMatching(/TANDEM_SECRET_KEY is not the secret key of this database/),
  });
  const third = await start(newer);
  await expectSecrets(third);
  await expectMore(third);
  await third.stop();
  await dropDatabase(url);
});

test("a key that is put first in the file is used without a restart; a machine with its own file is waited for", async () => {
  const url = await newDatabase();
  const [one, two] = [join(folder, "here"), join(folder, "there")];
  const start = (dataDir: string) => startTandem({ dataDir, databaseUrl: url, environment: SETTINGS });
  const here = await start(one);
  mkdirSync(two);
  copyFileSync(join(one, "secret.key"), join(two, "secret.key"));
  const there = await start(two);
  try {
    const expectSecrets = await keepSecrets(here);
    const rotating = rotate({ TANDEM_DATABASE_URL: url, TANDEM_DATA_DIR: one });
    await waitsFor(rotating, 1);
    await expectSecrets(there);
    copyFileSync(join(one, "secret.key"), join(two, "secret.key"));
    expect(await rotating.ended).toMatchObject({ code: 0 });
    await expectSecrets(here);
    await expectSecrets(there);
    expect(keysIn(one)).toHaveLength(1);

    // Adds a key by hand, in every file. What was sealed before can be read.
    const added = randomBytes(32).toString("base64");
    for (const dataDir of [one, two]) {
      const path = join(dataDir, "secret.key");
      writeFileSync(path, `${added}\n${readFileSync(path, "utf8")}`);
    }
    const database = databaseOf(here);
    const id = readSecretKeys(added)?.[0]?.id;
    const isPresent = async () =>
      (await database.query("select from secret_key_check where substring(sealed from 1 for 8) = $1", [id])).length;
    await expect.poll(isPresent, SOON).toBe(1);
    await database.close();
    await expectSecrets(here);
    await expectSecrets(there);
    const doctor = await startCommand(["doctor"], {
      environment: { TANDEM_DATABASE_URL: url, TANDEM_DATA_DIR: one, TANDEM_PORT: "0" },
    }).ended;
    expect(doctor.stdout).toMatch(/^warn +Secret key .*values are sealed with an earlier key\n.*tandem keys rotate/m);
  } finally {
    await here.stop();
    await there.stop();
    await dropDatabase(url);
  }
});
