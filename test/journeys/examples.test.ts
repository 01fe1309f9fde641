// Every example runs as examples/README.md says, in a clone after nothing but `npm start`, beside the shared sandbox,
// and is short enough to read.

import { type ChildProcess, exec, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { newAccount, type TestAccount } from "../contract/account.ts";
import { emulateInbound, newSender, UNTIL } from "../contract/messages.ts";
import { answerOf, WIDE } from "../contract/numbers.ts";
import { json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { type FreshClone, freshClone, ROOT } from "./fresh-clone.ts";

const EXAMPLES = join(ROOT, "examples");
const README = readFileSync(join(EXAMPLES, "README.md"), "utf8");
const LINES_MAX = 40;

const tandem = useTandem();
const running: ChildProcess[] = [];
let clone: FreshClone;
let folder: string;
let account: TestAccount;
let number: string;

beforeAll(async () => {
  clone = await freshClone();
  const installs = README.match(/npm install --prefix [\w/-]+/g) ?? [];
  for (const command of new Set(installs)) {
    await promisify(exec)(command, { cwd: clone.directory, env: { ...process.env, ...clone.npm } });
  }
  folder = mkdtempSync(join(tmpdir(), "tandem-examples-"));
  const limits = { read: WIDE, write: WIDE, send: WIDE, sendToRecipient: WIDE, call: WIDE };
  account = await newAccount(tandem, { features: ["voice"], limits });
  ({ number } = await newSender(tandem, tandem.database, account));
});
afterEach(() => {
  for (const child of running.splice(0)) child.kill();
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  clone.remove();
});

interface Example {
  readonly output: () => string;
  readonly ended: Promise<number | null>;
}

function start(file: string, args: readonly string[] = [], environment: object = {}): Example {
  const program = file.endsWith(".py") ? "python3" : process.execPath;
  const child = spawn(program, [join("examples", file), ...args], {
    cwd: clone.directory,
    env: {
      ...process.env,
      TANDEM_URL: tandem.url,
      TANDEM_ACCOUNT_SID: account.sid,
      TANDEM_TOKEN: account.token,
      TANDEM_NUMBER: number,
      ...environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.push(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  return { output: () => output, ended: new Promise((resolve) => child.once("close", resolve)) };
}

async function run(file: string, ...args: readonly string[]): Promise<string> {
  const { output, ended } = start(file, args);
  expect(await ended, output()).toBe(0);
  return output();
}

test("send-sms", async () => {
  expect(await run("send-sms/send.mjs", "+14155550100", "Hi")).toMatch(
    /^OM\w+: 1 segment.* GSM7.*\nSent\nDelivered\n$/,
  );
  const { output, ended } = start("send-sms/send.mjs", ["12"]);
  expect(await ended).toBe(1);
  expect(output()).toMatch(/^refused: .*error 1001/);
});

test("two-way-chat", async () => {
  const { output, ended } = start("two-way-chat/chat.mjs");
  await expect.poll(output, UNTIL).toContain("listening");
  await emulateInbound(account, { from: "+14155550100", to: number, text: "Hello" });
  await expect.poll(output, UNTIL).toContain('You wrote "Hello".');
  await emulateInbound(account, { from: "+14155550100", to: number, text: "Bye" });
  expect(await ended, output()).toBe(0);
  expect(output()).toContain("Goodbye! That were 2 texts.");
});

test("answer-with-script", async () => {
  expect((await run("answer-with-script/answer.mjs")).split("\n")).toEqual([
    `+12125550123 calls ${number}: forwarded`,
    "+12125550123: Completed",
    `+12125550199 calls ${number}: told that we are closed`,
    "+12125550199: ScriptHangup",
    "",
  ]);
});

test("record-and-download", async () => {
  const file = join(folder, "call.mp3");
  expect(await run("record-and-download/record.mjs", "+14155550111", "+14155550107", file)).toContain(`${file}: `);
  expect(statSync(file).size).toBeGreaterThan(1_000);
});

test("voicemail", async () => {
  const output = await run("voicemail/voicemail.mjs", "+14155550100");
  expect(output).toMatch(
    /^\+12125550123 calls \+\d+\nOM\w+: Voicemail of [1-9]\d* s: http\S+\/recordings\/RE\w+\?\S+\n$/,
  );
  const audio = await fetch(/http\S+/.exec(output)?.[0] ?? "");
  expect(audio.headers.get("Content-Type")).toBe("audio/mpeg");
  expect((await audio.arrayBuffer()).byteLength).toBeGreaterThan(1_000);
});

test("voice-agent", async () => {
  const lines = (await run("voice-agent/voice-agent.mjs")).trimEnd().split("\n");
  expect(lines[0]).toMatch(/^\+12125550123 calls \+\d+$/);
  expect(lines).toEqual(expect.arrayContaining(["stream Started", "repeats 3000 ms", "interrupted", "key #"]));
  expect(lines.indexOf("interrupted")).toBeGreaterThan(lines.indexOf("repeats 3000 ms"));
  expect(lines.at(-1)).toBe("stream Stopped");
});

test("click-to-call", async () => {
  const output = await run("click-to-call/click.mjs");
  expect(output).toContain("agent: Answered\ncustomer: Ringing\ncustomer: Answered\n");
});

test("bulk-lookup", async () => {
  const file = join(folder, "numbers.txt");
  writeFileSync(file, "+14154740200\n\nnonsense\n");
  const [header, found, failed] = (await run("bulk-lookup/lookup.mjs", file)).split("\n");
  expect(header).toBe("number,type,status,carrierOrError");
  expect(found).toMatch(/^\+14154740200,\w+,\w+,/);
  expect(failed).toMatch(/^nonsense,,,./);
});

test("from-twilio", async () => {
  const output = await run("from-twilio/from-twilio.mjs");
  expect(output).toMatch(
    /^(SM\w+): \w+\n\1: delivered\n\+14074740200: mobile\nCA\w+: [\w-]+\nrefused: 400, code 21211\n$/,
  );
});

const hasPython = process.env.PATH?.split(":").some((directory) => existsSync(join(directory, "python3"))) === true;
const RECEIVERS = ["plain-node.mjs", "express.mjs", "fastify.mjs", ...(hasPython ? ["receive.py"] : [])];

test.each(RECEIVERS)("receive-webhook/%s takes what is signed and nothing else", async (file) => {
  const hook = await answerOf<{ sid: string; secret: string }>(
    await account.call("/v1/Webhooks", json("POST", { type: "OptOutChanged", url: "http://127.0.0.1:1/" })),
    201,
  );
  const { output } = start(`receive-webhook/${file}`, ["0"], { TANDEM_WEBHOOK_SECRET: hook.secret });
  await expect.poll(output, UNTIL).toMatch(/^port \d+$/m);
  const url = `http://127.0.0.1:${/^port (\d+)$/m.exec(output())?.[1]}/`;
  const forged = await fetch(url, json("POST", { Number: "+14155550100" }));
  expect(forged.status).toBe(400);
  await answerOf(await account.call(`/v1/Webhooks/${hook.sid}`, json("PATCH", { url })), 200);
  await answerOf(await account.call(`/v1/Webhooks/${hook.sid}/test`, { method: "POST" }), 202);
  await expect.poll(output, UNTIL).toMatch(/^OptOutChanged \{.*"Change": ?"OptedOut"/m);
  await answerOf(await account.call(`/v1/Webhooks/${hook.sid}`, { method: "DELETE" }), 204);
});

test("every example is listed with its command, and can be read on a screen", () => {
  for (const name of readdirSync(EXAMPLES)) {
    if (name === "README.md") continue;
    expect(README, name).toContain(`[${name}](`);
    for (const file of readdirSync(join(EXAMPLES, name))) {
      if (!/\.(mjs|py)$/.test(file) || name === "smsc") continue;
      expect(README, file).toContain(file);
      const lines = readFileSync(join(EXAMPLES, name, file), "utf8")
        .trimEnd()
        .split("\n");
      expect(lines.length, `${name}/${file}`).toBeLessThanOrEqual(LINES_MAX);
    }
  }
});
