// Webhooks from the command line: created, tested, listened to across restarts, redelivered.

import { EventEmitter, once } from "node:events";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { WebhookDelivery, WebhookSubscriptionWithSecret } from "../../sdk/src/index.ts";
import { ownPort } from "../own-port.ts";
import { newDatabase } from "../shared-database.ts";
import { forgetTandem, startTandem, type Tandem } from "../tandem.ts";
import { startReceiver } from "./listen-receiver.ts";
import { type RunningCommand, runCommand, startCommand } from "./tandem-command.ts";

let dataDir: string;
let databaseUrl: string;
let port: string;
let tandem: Tandem;

const start = () => startTandem({ dataDir, databaseUrl, environment: { TANDEM_PORT: port } });
const demo = () => ({ environment: { TANDEM_DATA_DIR: dataDir } });

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "tandem-listen-"));
  databaseUrl = await newDatabase();
  port = String(await ownPort());
  tandem = await start();
});

afterAll(async () => {
  await tandem?.stop();
  forgetTandem(dataDir);
});

async function run<Answer>(...args: readonly string[]): Promise<Answer> {
  const { code, stderr, stdout } = await runCommand([...args, "--json"], demo());
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout) as Answer;
}

/** By default nothing listens there: deliveries fail, but the events are in the log. */
async function subscribe(receiver = "http://127.0.0.1:9/"): Promise<WebhookSubscriptionWithSecret> {
  return run("webhooks", "create", receiver, "--type", "optOutChanged");
}

/** Creates an event; returns the sid of its resource. */
async function makeEvent(webhookSid: string): Promise<string> {
  const answer = await tandem.get(`/v1/Webhooks/${webhookSid}/test`, { method: "POST" });
  expect(answer.status).toBe(202);
  return ((await answer.json()) as WebhookDelivery).resourceSid;
}

async function makeEvents(webhookSid: string, count: number): Promise<readonly string[]> {
  const made: string[] = [];
  for (let at = 0; at < count; at++) made.push(await makeEvent(webhookSid));
  return made;
}

/** Runs `tandem listen` and collects everything it prints. */
function listen(...flags: readonly string[]) {
  const command = startCommand(["listen", ...flags], demo());
  const printed = { stdout: "", stderr: "" };
  const news = new EventEmitter();
  for (const name of ["stdout", "stderr"] as const) {
    command.child[name]?.on("data", (chunk: Buffer) => {
      printed[name] += chunk.toString();
      news.emit("some");
    });
  }
  const until = async (name: keyof typeof printed, text: string) => {
    while (!printed[name].includes(text)) await once(news, "some");
    return printed[name];
  };
  return { ...command, until };
}

async function interrupt({ child, ended }: RunningCommand) {
  child.kill("SIGINT");
  const result = await ended;
  return { ...result, lines: result.stdout.trimEnd().split("\n") };
}

interface Line {
  readonly id: string;
  readonly type: string;
  readonly resourceSid: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly forwarded?: { readonly webhookSid: string; readonly status: number; readonly ms: number };
}

describe("tandem listen", () => {
  test("forwards every event across restarts of the server, each once and verifiable, and loses none", async () => {
    const { sid } = await subscribe();
    const receiver = await startReceiver();
    // The default scheme is http.
    const listener = listen("--forward-to", receiver.url.replace("http://127.0.0.1", "localhost"), "--json");
    const greeting = await listener.until("stderr", "Listening");
    receiver.state.secret = /Signing secret: (whsec_\S+)/.exec(greeting)?.[1];

    const made = [...(await makeEvents(sid, 5))];
    await receiver.until(5);
    // One graceful stop and one kill; events occur before the listener has reconnected.
    for (const end of ["stop", "kill"] as const) {
      made.push(...(await makeEvents(sid, 3)));
      await tandem[end]();
      tandem = await start();
      made.push(...(await makeEvents(sid, 5)));
    }
    await listener.until("stdout", made.at(-1) as string);
    await receiver.until(made.length);

    const { code, lines, stderr } = await interrupt(listener);
    await receiver.close();
    expect(code).toBe(0);
    expect(stderr).toMatch(/Trying again in .*\n(.*\n)*Connected again; nothing was missed\./);
    expect(stderr).toContain(`${made.length} events.`);
    const told = lines.map((line) => JSON.parse(line) as Line);
    expect(told.map(({ resourceSid }) => resourceSid).sort()).toEqual([...made].sort());
    expect(receiver.state.refused).toBe(0);
    const wanted = told.map(({ id, payload, type }) => {
      return { id: `listen-${id}`, type, event: { WebhookSid: `listen-${id}`, ...payload } };
    });
    const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
    expect([...receiver.received].sort(byId)).toEqual(wanted.sort(byId));
    expect(told.every(({ forwarded }) => forwarded?.status === 204)).toBe(true);
  });

  test("a server restarted before the first event misses nothing", async () => {
    const { sid } = await subscribe();
    const listener = listen();
    await listener.until("stderr", "Listening");
    await tandem.stop();
    tandem = await start();
    const [made] = await makeEvents(sid, 1);
    await listener.until("stdout", made as string);
    const { code, lines } = await interrupt(listener);
    expect({ code, lines: lines.length }).toEqual({ code: 0, lines: 1 });
  });

  test("prints a line per event with time, type, resource, answer and duration, of the types that are wanted", async () => {
    const { sid } = await subscribe();
    const other = await run<WebhookSubscriptionWithSecret>(
      "webhooks",
      "create",
      "http://127.0.0.1:9/",
      "--type",
      "TcrCampaignImported",
    );
    const receiver = await startReceiver("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
    receiver.state.status = 503;
    // A port alone means this machine.
    const place = receiver.url.replace("http://127.0.0.1:", "");
    const flags = ["--forward-to", place, "--secret", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"];
    const listener = listen(...flags, "--types", "optoutchanged");
    const greeting = await listener.until("stderr", "Ctrl-C ends it.");
    expect(greeting).not.toContain("whsec_");
    expect(greeting).toContain(`forwarding to http://localhost:${place}.`);
    await makeEvent(other.sid);
    const resource = await makeEvent(sid);
    await listener.until("stdout", "ms\n");
    const { code, lines, stderr } = await interrupt(listener);
    await receiver.close();
    expect(code).toBe(0);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(new RegExp(`^\\d{4}-\\S+Z {2}OptOutChanged +${resource} {2}503 {2}\\d+ ms$`));
    expect(stderr).toContain("1 event; 1 not answered with 2xx.");
  });

  test.each([
    [["--types", "Nonsense"], "One of these is wanted: InboundMessageReceived"],
    [["--forward-to", "ftp://localhost:3000"], "or a URL of http or https"],
    [["--forward-to", "http://a:b@localhost:3000"], "no credentials"],
    [["--forward-to", "http://localhost:3000", "--secret", "secret?"], "whsec_ and base64 are wanted"],
    [["--secret", "whsec_AAAA"], "--secret belongs to --forward-to"],
  ])("%j is a wrong use", async (flags, message) => {
    expect(await runCommand(["listen", ...flags], demo())).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining(message),
    });
  });

  test("what the server refuses, and a server that is not there, end it with 1", async () => {
    const account = ["--account", tandem.accountSid];
    const wrong = await runCommand(["listen", "--url", tandem.url, ...account, "--token", "wrong"]);
    expect(wrong).toMatchObject({ code: 1, stderr: expect.stringMatching(/^refused \(401\)/) });
    const absent = await runCommand(["listen", "--url", "http://127.0.0.1:1", ...account, "--token", "t"]);
    expect(absent).toMatchObject({ code: 1, stderr: expect.stringMatching(/^error: .*cannot be reached/) });
    const nonsense = await runCommand(["listen", "--after", "yesterday"], demo());
    expect(nonsense).toMatchObject({ code: 1, stderr: expect.stringContaining("This is not the id of an event.") });
  });
});

describe("tandem webhooks", () => {
  test("create, test and list", async () => {
    const receiver = await startReceiver();
    const made = await subscribe(receiver.url);
    receiver.state.secret = made.secret;
    const delivery = await run<WebhookDelivery>("webhooks", "test", made.sid);
    expect(delivery).toMatchObject({ status: "Delivered", subscriptionSid: made.sid, attempts: [{ status: 204 }] });
    expect(receiver.received).toMatchObject([{ id: delivery.sid, type: "OptOutChanged" }]);
    const { secret: _, lastSuccessOn: __, ...listed } = made;
    expect(await run("webhooks", "list")).toContainEqual({ ...listed, lastSuccessOn: expect.any(String) });
    const table = await runCommand(["webhooks", "list"], demo());
    expect(table.stdout).toMatch(
      new RegExp(`^${made.sid} +OptOutChanged +${receiver.url} +everything +A +on +\\d{4}`, "m"),
    );
    await receiver.close();
  });

  test("a subscription is made for several types, or for all", async () => {
    const several = ["--type", "optOutChanged,callStatusChanged", "--type", "inboundCallReceived", "--off"];
    const made = await run<WebhookSubscriptionWithSecret>("webhooks", "create", "http://127.0.0.1:9/", ...several);
    expect(made.types).toEqual(["OptOutChanged", "CallStatusChangedWebhook", "InboundCallReceivedWebhook"]);
    const all = await runCommand(["webhooks", "create", "http://127.0.0.1:9/", "--type", "*", "--off"], demo());
    expect(all.stdout).toMatch(/^WS\w+ +\* +http/m);
  });

  test("a test that is not answered with success ends with 1 and shows why", async () => {
    const { sid } = await subscribe();
    const { code, stdout } = await runCommand(["webhooks", "test", sid], demo());
    expect(code).toBe(1);
    expect(stdout).toMatch(/Pending +1 +\S.* in \d+ ms/);
  });

  test("deliveries are listed by status, and delivered once more by sid or by filter, elsewhere too", async () => {
    const receiver = await startReceiver();
    const { secret, sid } = await subscribe(receiver.url);
    receiver.state.secret = secret;
    const first = await run<WebhookDelivery>("webhooks", "test", sid);
    const listed = await run<readonly WebhookDelivery[]>("webhooks", "deliveries", "--webhook", sid);
    expect(listed.map((delivery) => delivery.sid)).toEqual([first.sid]);
    expect(await run("webhooks", "deliveries", "--webhook", sid, "--status", "failed")).toEqual([]);
    const table = await runCommand(["webhooks", "deliveries", "--status", "Delivered", "--limit", "1"], demo());
    expect(table.stdout).toMatch(new RegExp(`${first.sid} +OptOutChanged +${first.resourceSid} +Delivered +1 +204 in`));

    await run("webhooks", "replay", first.sid);
    await receiver.until(2);
    expect(receiver.received[1]).toEqual(receiver.received[0]);

    const elsewhere = await startReceiver(secret);
    const justAfter = new Date(Date.parse(first.createdOn) + 1).toISOString();
    const filters = ["--since", first.createdOn, "--until", justAfter, "--type", "OptOutChanged"];
    expect(await run("webhooks", "replay", ...filters, "--to-url", elsewhere.url)).toEqual({
      replayed: 1,
      complete: true,
    });
    await elsewhere.until(1);
    expect(elsewhere.received[0]?.id).toBe(first.sid);
    expect(receiver.received).toHaveLength(2);
    const told = await runCommand(["webhooks", "replay", ...filters], demo());
    expect(told).toMatchObject({ code: 0, stdout: "1 delivery is on the way again.\n", stderr: "" });
    await receiver.until(3);
    await run("webhooks", "replay", first.sid, "--to-url", elsewhere.url);
    await elsewhere.until(2);
    await elsewhere.close();
    await receiver.close();
  });

  test.each([
    [[]],
    [["replay"]],
    [["replay", "WH1", "--status", "Failed"]],
    [["replay", "--since", "soon"]],
    [["deliveries", "--status", "Lost"]],
    [["create", "http://localhost"]],
    [["create", "http://localhost", "--type", "Nonsense"]],
    [["create", "--type", "OptOutChanged"]],
    [["create", "http://localhost", "--type", "*", "--phone", "+14155550100", "--config", "MC1"]],
    [["test"]],
  ])("%j is a wrong use", async (args) => {
    const { code, stderr, stdout } = await runCommand(["webhooks", ...args], demo());
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).not.toContain("    at ");
  });

  test("what does not exist, and what may not be called, is refused", async () => {
    for (const args of [
      ["test", "WS0"],
      ["replay", "WH0"],
    ]) {
      const answer = await runCommand(["webhooks", ...args], demo());
      expect(answer).toMatchObject({ code: 1, stderr: expect.stringMatching(/^refused \(404\)/) });
    }
    const answer = await runCommand(["webhooks", "create", "ftp://example.com", "--type", "*"], demo());
    expect(answer).toMatchObject({ code: 1, stderr: expect.stringMatching(/^refused \(400\)/) });
  });
});
