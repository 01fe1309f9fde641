// A message for every row of a file, and opt-outs from one, with every kind of interruption.

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { type Relay, startRelay } from "./cli-relay.ts";
import { runCommand, startCommand } from "./tandem-command.ts";

interface Message {
  readonly sid: string;
  readonly to: string;
  readonly text: string;
  readonly status: string;
}

const FROM = "+14155550150";

const tandem = useTandem({});
let folder: string;
let input: string;
let out: string;
let relay: Relay | undefined;

beforeAll(async () => {
  // These tests are not about the rate limit.
  const plenty = { requests: 10_000, windowSeconds: 10 };
  const limits = { send: plenty, read: plenty, write: plenty };
  await tandem.operator(`/operator/v1/Accounts/${tandem.accountSid}`, json("PATCH", { limits }));
});

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tandem-send-"));
  input = join(folder, "in.csv");
  out = join(folder, "in.sent.csv");
});

afterEach(async () => {
  await relay?.close();
  relay = undefined;
  rmSync(folder, { recursive: true, force: true });
});

function environment(url = tandem.url) {
  const { accountSid, token } = tandem;
  return { environment: { TANDEM_URL: url, TANDEM_ACCOUNT_SID: accountSid, TANDEM_TOKEN: token, TANDEM_NUMBER: FROM } };
}

const numberAt = (at: number) => `+1415${String(6_010_000 + at)}`;
const send = (...more: readonly string[]) => ["send", "--csv", input, ...more];

function writeRows(count: number): void {
  const rows = Array.from({ length: count }, (_, at) => `${at},${numberAt(at)}\n`);
  writeFileSync(input, `order,phone\n${rows.join("")}`);
}

async function messagesWith(text: string): Promise<readonly Message[]> {
  const answer = await tandem.get("/messaging/v1/OutboundMessages?PageSize=1000");
  const { items } = (await answer.json()) as { items: Message[] };
  return items.filter((message) => message.text.startsWith(text));
}

describe("a message for every row", () => {
  test("killed again and again with answers on the way, every row is sent exactly once", async () => {
    const rowCount = 230;
    writeRows(rowCount);
    const text = "Killed: order {order}";
    // The first request checks the sender. Messages whose response is withheld are stored, and the command never learns
    // of it.
    for (const cutAt of [40, 110, 90]) {
      relay = await startRelay({ target: tandem.url, passesOn: (request) => request < cutAt });
      const { child, ended } = startCommand(send("--text", text), environment(relay.url));
      await relay.answered(cutAt + 3);
      child.kill("SIGKILL");
      expect((await ended).signal).toBe("SIGKILL");
      await relay.close();
    }
    expect(readdirSync(folder).sort()).toEqual([
      "in.csv",
      "in.sent.csv.lock",
      "in.sent.csv.partial",
      "in.sent.csv.partial.json",
    ]);
    const last = await runCommand(send("--text", text, "--json"), environment());
    expect(last).toMatchObject({ code: 0, stderr: expect.stringMatching(/Going on after \d+ rows that are done/) });
    expect(JSON.parse(last.stdout)).toEqual({ out, rows: rowCount, refused: 0 });
    const sent = await messagesWith("Killed");
    expect(sent.map(({ text: each, to }) => `${to} ${each}`).sort()).toEqual(
      Array.from({ length: rowCount }, (_, at) => `${numberAt(at)} Killed: order ${at}`).sort(),
    );
    const sidOf = new Map(sent.map(({ sid, to }) => [to, sid]));
    expect(readFileSync(out, "utf8").trimEnd().split("\n")).toEqual([
      "order,phone,sid,status,segmentCount,errorCode,error",
      ...Array.from({ length: rowCount }, (_, at) => `${at},${numberAt(at)},${sidOf.get(numberAt(at))},Queued,1,,`),
    ]);
    expect(readdirSync(folder).sort()).toEqual(["in.csv", "in.sent.csv"]);
  });

  test("the same command once more sends nothing", async () => {
    writeRows(2);
    expect((await runCommand(send("--text", "Once {order}"), environment())).code).toBe(0);
    const again = await runCommand(send("--text", "Once {order}"), environment());
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining("choose another --out") });
    expect(await messagesWith("Once")).toHaveLength(2);
  });

  test("refused rows say why, and the command ends with 1", async () => {
    writeFileSync(input, `To;Text\n${numberAt(0)};Refused: not this one\nnobody;Refused: this\n${numberAt(1)};\n`);
    const done = await runCommand(send("--out", out), environment());
    expect(done).toMatchObject({ code: 1, stderr: expect.stringContaining("3 rows; 2 were refused") });
    const [, first = "", second = "", third = ""] = readFileSync(out, "utf8").split("\n");
    expect(first).toMatch(/^\+14156010000;Refused: not this one;OM[0-9a-f]{32};Queued;1;;$/);
    expect(second).toMatch(/^nobody;Refused: this;;;;1001;\S/);
    expect(third).toMatch(/^\+14156010001;;;;;2001;\S/);
  });

  test("a sender that may not send is reported before anything is written", async () => {
    writeRows(2);
    const refused = await runCommand(send("--text", "No", "--from", "+14155550999"), environment());
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^refused: .*\[error 2\]\n→ tandem numbers/),
    });
    expect(readdirSync(folder)).toEqual(["in.csv"]);
    expect((await runCommand(send("--text", "Then {order}"), environment())).code).toBe(0);
  });

  test("a dry run sends nothing", async () => {
    writeRows(2);
    expect((await runCommand(send("--text", "Dry {order}", "--dry-run"), environment())).code).toBe(0);
    const rows = readFileSync(join(folder, "in.dry-run.csv"), "utf8").split("\n");
    expect(rows[1]).toBe(`0,${numberAt(0)},,WouldBeSent,1,,`);
    expect(await messagesWith("Dry")).toEqual([]);
  });

  test.each([
    [["--text", "{nobody}"], "There is no column nobody"],
    [["--text", "{order"], "write {column}"],
    [[], "What to send is missing"],
    [["--text", "x", "--to", "+14155550100"], "Give --to or --csv, not both."],
    [["--text", "x", "--send-at", "2h"], "so that the command means the same"],
    [["--text", "x", "--wait"], "are for one message"],
    [["--text", "x", "--text-column", "order"], "cannot be used with"],
    [["--text", "x", "--to-column", "mobile"], "There is no column mobile"],
  ])("%j is a wrong use", async (args, message) => {
    writeRows(1);
    expect(await runCommand(send(...args), environment())).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(message),
    });
    expect(readdirSync(folder)).toEqual(["in.csv"]);
  });
});

describe("importing opt-outs", () => {
  test("killed in the middle, every number has opted out in the end", async () => {
    writeFileSync(input, `phone\n${Array.from({ length: 150 }, (_, at) => `${numberAt(at)}\n`).join("")}x\n`);
    const importing = ["optouts", "import", "--csv", input, "--from", FROM];
    relay = await startRelay({ target: tandem.url, passesOn: (request) => request < 120 });
    const { child, ended } = startCommand(importing, environment(relay.url));
    await relay.answered(120);
    child.kill("SIGKILL");
    await ended;
    const done = await runCommand([...importing, "--json"], environment());
    expect(done).toMatchObject({ code: 1, stderr: expect.stringContaining("Going on after 100 rows") });
    const imported = join(folder, "in.imported.csv");
    expect(JSON.parse(done.stdout)).toEqual({ out: imported, rows: 151, refused: 1 });
    const rows = readFileSync(imported, "utf8").trimEnd().split("\n");
    expect(rows[0]).toBe("phone,number,outcome,error");
    expect(rows[1]).toBe(`${numberAt(0)},${numberAt(0)},added,`);
    expect(rows.filter((row) => row.endsWith(",was there already,")).length).toBeGreaterThan(0);
    expect(rows.at(-1)).toMatch(/^x,,,"?The number/);
    const listed = await runCommand(["optouts", "list", "--from", FROM, "--limit", "1000", "--json"], environment());
    expect(JSON.parse(listed.stdout)).toHaveLength(150);
  });
});
