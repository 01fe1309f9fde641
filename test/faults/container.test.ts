// The image of a release. The quick form holds the container file against the settings. The long form builds the image
// from Debian's packages, runs it as its ordinary user on a root that cannot be written to, beside an outside
// PostgreSQL, and uses it: a text, its webhook, and a call with a recording.

import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { packFolder, RELEASE_NAME, releaseTime, stageRelease } from "../../scripts/release-files.ts";
import { buildImage } from "../../scripts/release-image.ts";
import { readConfig } from "../../src/server/config/config.ts";
import { newAccount } from "../contract/account.ts";
import { listen, newMessenger, newSender, send } from "../contract/messages.ts";
import { answerOf, newNumber, take, WIDE } from "../contract/numbers.ts";
import { requirePeer } from "../peers/peer.ts";
import { requireStockPostgres, StockPostgres } from "../stock-postgres.ts";
import { json, socketUrl, startTandem, type Tandem } from "../tandem.ts";
import { databaseOf } from "../tandem-database.ts";
import { containerCommand, type UnpackedImage, unpackImage } from "./container.ts";
import { isLong, LONG_TIMEOUT_MS } from "./form.ts";
import { startHealthy } from "./webhook-receivers.ts";

const CONTAINERFILE = readFileSync(new URL("../../deploy/container/Containerfile", import.meta.url), "utf8");
const MEGABYTES_MAX = 350;
type Three = [string, string, string];
const ROOT_REQUIRED = "an image is built and run by root";

test("the container file has an ordinary user, and settings that the server knows", () => {
  expect(CONTAINERFILE).toMatch(/^USER 10001:10001$/m);
  const settings = Object.fromEntries(
    [...CONTAINERFILE.matchAll(/(TANDEM_\w+)=(\S+)/g)].map(([, name = "", value = ""]) => [name, value]),
  );
  expect(readConfig(settings)).toMatchObject({
    ok: true,
    value: { settings: { TANDEM_HOST: "0.0.0.0", TANDEM_DATA_DIR: "/data", TANDEM_LAME_DUCK_SECONDS: 10 } },
  });
  expect(CONTAINERFILE).toMatch(/^VOLUME \/data$/m);
});

const isRoot = process.getuid?.() === 0;
const mayBuild = isLong && (isRoot || process.env.CI === "true");
if (isLong && !isRoot) console.warn(`skipped: ${ROOT_REQUIRED}`);
const programs = mayBuild
  ? [requireStockPostgres(), ...["buildah", "crun", "mmdebstrap"].map((name) => requirePeer(name, name))]
  : [];

describe.skipIf(!mayBuild || programs.includes(undefined))("the image", { timeout: LONG_TIMEOUT_MS }, () => {
  let folder: string;
  let image: UnpackedImage;
  let postgres: StockPostgres | undefined;
  let tandem: Tandem;

  beforeAll(async () => {
    if (!isRoot) throw new Error(`${ROOT_REQUIRED}, and CI must not skip it`);
    folder = mkdtempSync(join(tmpdir(), "tandem-image-"));
    chmodSync(folder, 0o755);
    const [release, archive, time] = [join(folder, "r.tar.gz"), join(folder, "i.tar"), releaseTime()];
    stageRelease(join(folder, RELEASE_NAME));
    packFolder(join(folder, RELEASE_NAME), release, time);
    await buildImage({ release, image: archive, tag: "tandem:test", time });
    image = await unpackImage(archive, folder);
    // Its own directory is closed to all others.
    const [cluster, sockets, data] = ["postgres", "sockets", "data"].map((name) => join(folder, name)) as Three;
    mkdirSync(sockets);
    chmodSync(sockets, 0o777);
    postgres = await StockPostgres.startIn(cluster, { unix_socket_directories: `${cluster},${sockets}` });
    tandem = await startTandem({
      dataDir: data,
      databaseUrl: socketUrl(sockets, postgres.connection.database),
      environment: { TANDEM_HOST: "127.0.0.1", TANDEM_LAME_DUCK_SECONDS: "0" },
      commandFor: (environment) =>
        containerCommand({
          image,
          folder: join(folder, "running"),
          data,
          sees: [sockets],
          environment: { ...environment, TANDEM_DATA_DIR: "/data" },
        }),
    });
  }, LONG_TIMEOUT_MS);
  afterAll(async () => {
    const code = await tandem?.stop();
    await postgres?.close();
    rmSync(folder, { recursive: true, force: true });
    expect(code, tandem?.output()).toBe(0);
  });

  test(`has at most ${MEGABYTES_MAX} MB`, () => {
    const megabytes = Number(execFileSync("du", ["-sm", image.root], { encoding: "utf8" }).split("\t")[0]);
    expect(megabytes).toBeLessThanOrEqual(MEGABYTES_MAX);
  });

  test("runs as an ordinary user that can write to its volume alone", () => {
    const script = "id -u; cd /; for at in / /tmp /opt/tandem /opt/tandem/dist /data; do touch $at/x && echo $at; done";
    const [program = "", ...args] = containerCommand({
      image,
      folder: join(folder, "looked-at"),
      data: join(folder, "other-data"),
      sees: [],
      environment: {},
      command: ["sh", "-c", script],
    });
    const { stdout } = spawnSync(program, args, { encoding: "utf8" });
    expect(stdout).toBe("10001\n/data\n");
  });

  test("sends a text and delivers its webhook", async () => {
    const database = databaseOf(tandem);
    onTestFinished(() => database.close());
    const account = await newMessenger(tandem);
    const { number } = await newSender(tandem, database, account);
    const receiver = await startHealthy();
    onTestFinished(() => receiver.close());
    const sid = (
      await send(account, { From: number, To: "+12125550100", Text: "Hi", CallbackUrlOverride: receiver.url })
    ).sid;
    await receiver.whenReceived(2);
    expect(receiver.requests.every(({ body }) => body.toString().includes(sid))).toBe(true);
  });

  test("connects a call and records it", async () => {
    const account = await newAccount(tandem, { features: ["voice"], limits: { read: WIDE, write: WIDE, call: WIDE } });
    await take(account, await newNumber(tandem));
    const ear = await listen(account);
    const order = json("POST", { from: "+14155550111", to: "+14155550107", record: true });
    const { sid } = await answerOf<{ sid: string }>(await account.call("/v1/Voice/Calls", order), 201);
    const { payload } = await ear.until(({ type }) => type === "CallRecordingCompleted");
    await ear.leave();
    expect(payload.CallSid).toBe(sid);
    const file = await account.call(`/v1/Voice/Calls/${sid}/recordings/1`);
    expect([file.status, file.headers.get("content-type")]).toEqual([200, "audio/mpeg"]);
    expect((await file.arrayBuffer()).byteLength).toBeGreaterThan(1000);
  });
});
