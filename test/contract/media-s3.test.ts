// Media of received messages in S3, received by one process and read at another one that has a data directory of its
// own; and their removal, in S3 and on disk.

import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { twilioMessageSid } from "../../src/adapters/twilio/names.ts";
import { type S3Server, startS3 } from "../fakes/s3-server.ts";
import { basic, type Tandem } from "../tandem.ts";
import { databaseOf, startBeside } from "../tandem-database.ts";
import { startOnShared, useTandem } from "../use-tandem.ts";
import type { TestAccount } from "./account.ts";
import { type MediaServer, PNG, startMediaServer } from "./media-server.ts";
import { emulateInbound, listen, newMessenger, newSender, type Sender, UNTIL } from "./messages.ts";

const folder = mkdtempSync(join(tmpdir(), "tandem-media-"));
let s3: S3Server;
let environment: Readonly<Record<string, string>>;

const tandem = useTandem(async () => {
  s3 = await startS3(join(folder, "bucket"));
  const { secretAccessKey: _, ...settings } = s3.settings;
  const file = join(folder, "tandem.config.json");
  const bucket = { ...settings, secretAccessKey: "env:BUCKET_SECRET", prefix: "mms" };
  writeFileSync(file, JSON.stringify({ media: { s3: bucket } }));
  environment = { TANDEM_CONFIG: file, BUCKET_SECRET: s3.settings.secretAccessKey };
  return { environment };
});

let other: Tandem;
let media: MediaServer;
let account: TestAccount;
let sender: Sender;
beforeAll(async () => {
  other = await startBeside(tandem, { ...environment, TANDEM_ROLES: "api" });
  media = await startMediaServer();
  account = await newMessenger(tandem);
  sender = await newSender(tandem, tandem.database, account);
});
afterAll(async () => {
  await other?.stop();
  await media?.close();
  await s3?.close();
  rmSync(folder, { recursive: true });
});

interface Arrived {
  readonly sid: string;
  readonly url: string;
}

async function arrive(of: TestAccount, { number }: Sender, text: string): Promise<Arrived> {
  const ear = await listen(of);
  await emulateInbound(of, { from: "+12125550142", to: [number], text, mediaUrls: [media.urlOf("/a.png")] });
  const { Sid, MediaUrls } = await ear.inboundUntil(({ Text }) => Text === text);
  await ear.leave();
  return { sid: String(Sid), url: (MediaUrls as readonly string[])[0] ?? "" };
}

/** The same link at the other process. */
const atOther = ({ url }: Arrived, init?: RequestInit) => {
  const { pathname, search } = new URL(url);
  return fetch(other.url + pathname + (init ? "" : search), init);
};
const stored = () =>
  readdirSync(join(folder, "bucket"), { recursive: true, encoding: "utf8" }).filter((name) =>
    /ME[0-9a-f]{32}[^/]*_object$/.test(name),
  );
const remove = (of: TestAccount, { sid }: Arrived) =>
  of.call(`/2010-04-01/Accounts/${of.sid}/Messages/${twilioMessageSid(sid)}.json`, { method: "DELETE" });

let first: Arrived;

test("media that one process received are read at another, by link and by credentials", async () => {
  first = await arrive(account, sender, "First");
  expect(stored()).toMatchObject([expect.stringMatching(/^recordings\/mms\/([0-9a-f]{2})\/ME[0-9a-f]{30}\1/)]);
  expect(readdirSync(tandem.dataDir)).not.toContain("media");
  for (const answer of [await atOther(first), await atOther(first, { headers: basic(account.sid, account.token) })]) {
    expect(answer.status).toBe(200);
    expect(answer.headers.get("Content-Type")).toBe("image/png");
    expect(Buffer.from(await answer.arrayBuffer()).equals(PNG)).toBe(true);
  }
});

test("a message that is deleted takes its file along, and no other of the same content", async () => {
  const second = await arrive(account, sender, "Second");
  expect(stored()).toHaveLength(2);
  expect((await remove(account, first)).status).toBe(204);
  await expect.poll(stored, UNTIL).toHaveLength(1);
  expect((await atOther(second)).status).toBe(200);
  await s3.goAway();
  const away = await atOther(second);
  expect([away.status, away.headers.get("Retry-After")]).toEqual([503, "10"]);
  expect((await remove(account, second)).status).toBe(204);
  await expect.poll(() => tandem.output(), UNTIL).toContain("remove-media");
  expect((await atOther(second)).status).toBe(404);
  await s3.comeBack();
  await expect.poll(stored, UNTIL).toEqual([]);
  await expect.poll(() => tandem.database.query("select file from stored_media"), UNTIL).toEqual([]);
});

test("on disk a file goes with its message, too", async () => {
  const plain = await startOnShared();
  const database = databaseOf(plain);
  onTestFinished(async () => {
    await database.close();
    await plain.stop();
  });
  const owner = await newMessenger(plain);
  const number = await newSender(plain, database, owner);
  const message = await arrive(owner, number, "On disk");
  const files = () =>
    readdirSync(join(plain.dataDir, "media"), { recursive: true, encoding: "utf8" }).filter((name) => /ME/.test(name));
  expect(files()).toHaveLength(1);
  expect(Buffer.from(await (await fetch(message.url)).arrayBuffer()).equals(PNG)).toBe(true);
  expect((await remove(owner, message)).status).toBe(204);
  await expect.poll(files, UNTIL).toEqual([]);
});
