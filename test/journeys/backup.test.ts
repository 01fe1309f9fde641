// `tandem backup` of a server under load, and `tandem restore` into an outside PostgreSQL and into a built-in one.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  createReadStream,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BackupHeader, readBackup } from "../../src/adapters/backup/backup-file.ts";
import type { TestAccount } from "../contract/account.ts";
import { openStream } from "../contract/event-stream.ts";
import { type MediaServer, PNG, startMediaServer } from "../contract/media-server.ts";
import { emulateInbound, messageOf, newMessenger, newSender, type Sender, send, UNTIL } from "../contract/messages.ts";
import { answerOf, type List, WIDE } from "../contract/numbers.ts";
import type { RecordedCall } from "../contract/recordings.ts";
import { dropDatabase, newDatabase } from "../shared-database.ts";
import { basic, forgetTandem, json, startTandem, type Tandem } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { type CommandOrder, startCommand } from "./tandem-command.ts";

/** As its own process: it logs to the file descriptor of standard error, and runs a PostgreSQL. */
const runCommand = (args: readonly string[], order: CommandOrder) => startCommand(args, order).ended;

const PROGRAM = fileURLToPath(new URL("../../dist/tandem.js", import.meta.url));
const TO = "+14155550100";

const folder = mkdtempSync(join(tmpdir(), "tandem-backup-"));
const place = (name: string) => join(folder, name);
const backup = place("monday.tandem");
// Registered before the server's own hook, so that it runs after it.
afterAll(() => {
  for (const name of ["source", "copy"]) forgetTandem(place(name));
  rmSync(folder, { recursive: true, force: true });
});
const tandem = useTandem({ hasOwnPostgres: true, dataDir: place("source") });

let media: MediaServer;
let account: TestAccount;
let sender: Sender;
let callSid: string;
let settled: readonly string[];
let webhookUrl: string;
const webhooks: string[] = [];
const receiver = createServer((request, response) => {
  webhooks.push(String(request.headers["webhook-id"]));
  request.resume().on("end", () => response.end());
});

beforeAll(async () => {
  media = await startMediaServer();
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  webhookUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const limits = { read: WIDE, write: WIDE, send: WIDE, sendToRecipient: WIDE, call: WIDE };
  account = await newMessenger(tandem, { features: ["voice"], limits });
  sender = await newSender(tandem, tandem.database, account);
  const order = { from: "+14155550111", to: "+14155550107", record: true };
  callSid = (await answerOf<RecordedCall>(await account.call("/v1/Voice/Calls", json("POST", order)), 201)).sid;
  await emulateInbound(account, {
    from: "+12125550142",
    to: sender.number,
    text: "Look",
    mediaUrls: [media.urlOf("/a.png")],
  });
  const sent = await Promise.all(["One", "Two\tand\\a\nhalf", "😀"].map((text) => send(account, newText(text))));
  settled = sent.map(({ sid }) => sid);
});

afterAll(async () => {
  await media?.close();
  receiver.close();
});

const newText = (text: string) => ({ from: sender.number, to: TO, text });
const callOf = async ({ call }: TestAccount) => answerOf<RecordedCall>(await call(`/v1/Voice/Calls/${callSid}`), 200);
const inbound = async ({ call }: TestAccount) =>
  answerOf<List<{ readonly mediaUrls: readonly string[] }>>(await call("/messaging/v1/InboundMessages"), 200);
const secretKey = () => readFileSync(join(place("source"), "secret.key"), "utf8").trim();
const restoreInto = (environment: Readonly<Record<string, string>>, file = backup) =>
  runCommand(["restore", file, "--json"], { environment: { TANDEM_DATA_DIR: place("restored"), ...environment } });

/** The API's lists of everything that no longer changes; links are signed again in every response. */
async function exportOf({ call }: TestAccount): Promise<Readonly<Record<string, unknown>>> {
  const paths = [
    "/v1/Phones",
    "/v1/MessagingConfigs",
    "/v1/TcrCampaigns",
    "/v1/OptOuts",
    "/messaging/v1/InboundMessages",
    `/v1/Voice/Calls/${callSid}`,
    `/v1/Voice/Calls/${callSid}/why`,
    ...settled.flatMap((sid) => [`/messaging/v1/OutboundMessages/${sid}`, `/messaging/v1/OutboundMessages/${sid}/why`]),
  ];
  const read = async (path: string) => {
    const text = JSON.stringify(await answerOf(await call(path), 200));
    return [path, JSON.parse(text.replaceAll(/http:\/\/[^"]*\/v1\/[^"]*/g, "(link)"))] as const;
  };
  return Object.fromEntries(await Promise.all(paths.map(read)));
}

/** Sends messages as fast as they are accepted, until it is stopped; returns the sids of those accepted. */
function startLoad() {
  const taken: string[] = [];
  let isOver = false;
  const lane = async () => {
    while (!isOver) taken.push((await send(account, newText("Load"))).sid);
  };
  const lanes = [lane(), lane(), lane()];
  return {
    taken,
    async stop() {
      isOver = true;
      await Promise.all(lanes);
    },
  };
}

let outside: string;
let restored: Tandem;
let before: readonly string[];
let position: string;

test("a backup is made while messages are accepted, and none that was accepted before is missing", async () => {
  for (const sid of settled) {
    await expect.poll(async () => (await messageOf(account, sid)).status, UNTIL).toBe("Delivered");
  }
  await expect.poll(async () => (await callOf(account)).recordings.status, UNTIL).toBe("Completed");
  await expect.poll(async () => (await inbound(account)).items.length, UNTIL).toBe(1);
  await answerOf(await account.call("/v1/Webhooks", json("POST", { types: ["*"], url: webhookUrl })), 201);
  const load = startLoad();
  await expect.poll(() => load.taken.length, UNTIL).toBeGreaterThan(20);
  before = [...load.taken];
  const { code, stdout, stderr } = await runCommand(["backup", backup, "--json"], {
    environment: { TANDEM_DATA_DIR: place("source") },
  });
  const during = load.taken.length - before.length;
  await load.stop();
  expect(code, stderr).toBe(0);
  expect(during).toBeGreaterThan(0);
  expect(JSON.parse(stdout)).toMatchObject({ file: backup, files: 2, missingFiles: 0 });
});

test("what does not fit is refused, and changes nothing", async () => {
  outside = await newDatabase("empty");
  const environment = { TANDEM_DATABASE_URL: outside };
  const key = { TANDEM_SECRET_KEY: secretKey() };
  const other = { TANDEM_SECRET_KEY: Buffer.alloc(32, 1).toString("base64") };
  const good = readFileSync(backup);
  writeFileSync(place("cut"), good.subarray(0, good.length - 100_000));
  const changed = Buffer.from(good);
  changed.writeUInt8(changed.readUInt8(good.length - 100) ^ 1, good.length - 100);
  writeFileSync(place("changed"), changed);
  const newer = good.toString("latin1").replace('"name":"0001-schema"', '"name":"9001-schema"');
  writeFileSync(place("newer"), newer, "latin1");
  const refusals: readonly (readonly [Readonly<Record<string, string>>, string, RegExp])[] = [
    [other, backup, /TANDEM_SECRET_KEY is not the secret key of this database/],
    [{}, backup, /secret\.key, the secret key of this database, is missing/],
    [key, place("cut"), /ends too early/],
    [key, place("changed"), /damaged/],
    [key, place("newer"), /9001-schema, which this version of Tandem does not know/],
    [key, fileURLToPath(import.meta.url), /not a backup/],
  ];
  for (const [given, file, why] of refusals) {
    const ended = await restoreInto({ ...environment, ...given }, file);
    expect(ended).toMatchObject({ code: 1, stdout: "", stderr: expect.stringMatching(why) });
  }
  const full = await newDatabase();
  const ended = await restoreInto({ ...key, TANDEM_DATABASE_URL: full });
  expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining("The database is not empty") });
  await dropDatabase(full);
  const nowhere = "postgres://tandem:secret@127.0.0.1:1/tandem";
  const unreachable = await restoreInto({ ...key, TANDEM_DATABASE_URL: nowhere });
  expect(unreachable).toMatchObject({ code: 1, stderr: expect.stringContaining("start PostgreSQL") });
  expect(unreachable.stderr).not.toContain("secret");
  const again = await runCommand(["backup", backup], { environment: { TANDEM_DATA_DIR: place("source") } });
  expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining("is there already") });
  expect(statSync(backup).mode & 0o777).toBe(0o600);
});

test("a link where the unfinished file is to be written is not followed", async () => {
  writeFileSync(place("precious"), "kept");
  symlinkSync(place("precious"), place("tuesday.tandem.unfinished"));
  const environment = { TANDEM_DATA_DIR: place("source") };
  const { code, stderr } = await runCommand(["backup", place("tuesday.tandem"), "--without-media"], { environment });
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("tuesday.tandem.unfinished is there") });
  expect(readFileSync(place("precious"), "utf8")).toBe("kept");
  expect(existsSync(place("tuesday.tandem"))).toBe(false);
});

test("restored into an outside PostgreSQL, the API tells the same, and the recording plays", async () => {
  const wanted = await exportOf(account);
  const events = await answerOf<List<{ readonly id: string }>>(await account.call("/v1/Events?PageSize=1"), 200);
  position = events.items[0]?.id ?? "";
  const environment = { TANDEM_SECRET_KEY: secretKey(), TANDEM_DATABASE_URL: outside };
  const { code, stdout, stderr } = await restoreInto(environment);
  expect(code, stderr).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ files: 2, hasMedia: true });
  await tandem.stop();
  restored = await startTandem({ dataDir: place("restored"), databaseUrl: outside, environment });
  account = withUrl(account, restored.url);
  expect(await exportOf(account)).toEqual(wanted);
  for (const sid of before) expect((await messageOf(account, sid)).sid).toBe(sid);
  const [segment] = (await callOf(account)).recordings.segments;
  const mp3 = Buffer.from(await (await account.call(`/v1/Voice/Calls/${callSid}/recordings/1`)).arrayBuffer());
  expect(mp3.length).toBeGreaterThan(1_000);
  expect(createHash("sha256").update(mp3).digest("hex")).toBe(segment?.sha256);
  const [link = ""] = (await inbound(account)).items[0]?.mediaUrls ?? [];
  const picture = await fetch(link.replace("localhost", "127.0.0.1"));
  expect(Buffer.from(await picture.arrayBuffer()).equals(PNG)).toBe(true);
});

test("readers of events and webhooks go on where they were", async () => {
  const stream = await openStream(account.call, "/v1/Events/stream", { "Last-Event-ID": position });
  const told = webhooks.length;
  const { sid } = await send(account, newText("After the restore"));
  const seen: string[] = [];
  while (!seen.includes(sid)) seen.push((await stream.next())?.data.resourceSid ?? sid);
  await stream.leave();
  expect(seen).toContain(sid);
  await expect.poll(() => webhooks.length, UNTIL).toBeGreaterThan(told);
  await restored.stop();
  await dropDatabase(outside);
});

test("a stopped server is backed up through a pipe into a built-in database, row by row the same", async () => {
  const run = (directory: string, args: string) =>
    `TANDEM_DATA_DIR='${place(directory)}' '${process.execPath}' '${PROGRAM}' ${args}`;
  const key = { ...process.env, TANDEM_SECRET_KEY: secretKey() };
  execFileSync("sh", ["-c", `${run("source", "backup - --without-media")} | ${run("copy", "restore -")}`], {
    env: key,
    stdio: ["ignore", "pipe", "pipe"],
  });
  for (const name of ["source", "copy"]) {
    const environment = { TANDEM_DATA_DIR: place(name) };
    const { code } = await runCommand(["backup", place(`${name}.tandem`), "--without-media"], { environment });
    expect(code).toBe(0);
  }
  const [source, copy] = [await digestsOf(place("source.tandem")), await digestsOf(place("copy.tandem"))];
  // These contain the data directory that has the files.
  const { recording_segments: _, stored_media: __, ...rows } = source.tables;
  expect(copy.tables).toMatchObject(rows);
  expect(copy.header.sequences).toEqual(source.header.sequences);
  expect(BigInt(copy.header.nextPosition)).toBeGreaterThan(BigInt(source.header.nextPosition));
});

/** Of each table the digest of its rows in an order of their own: PostgreSQL puts a row where a page has room. */
async function digestsOf(file: string) {
  const tables: Record<string, string> = {};
  let header: BackupHeader | undefined;
  let name: string | undefined;
  let octets: Buffer[] = [];
  for await (const item of readBackup(createReadStream(file))) {
    if (item.kind === "header") header = item.header;
    else if (item.kind === "table") name = item.table.name;
    else if (item.kind === "octets") octets.push(item.octets);
    else if (item.kind === "end" && name !== undefined) {
      const rows = Buffer.concat(octets).toString("latin1").split("\n").sort();
      tables[name] = createHash("sha256").update(rows.join("\n")).digest("hex");
      [name, octets] = [undefined, []];
    }
  }
  return { header: header as BackupHeader, tables };
}

function withUrl({ sid, token, change }: TestAccount, url: string): TestAccount {
  return {
    sid,
    token,
    change,
    call: (path, init) => fetch(url + path, { ...init, headers: { ...basic(sid, token), ...init?.headers } }),
  };
}
