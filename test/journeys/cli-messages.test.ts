// Messages and numbers from the command line, against the whole product with its sandbox.

import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { type Ended, runCommand, startCommand } from "./tandem-command.ts";

const FROM = "+14155550150";
/** Sandbox numbers: delivered, failed, switched off, no receipt ever. */
const FINE = "+12125550100";
const FAILS = "+12125550101";
const UNREACHABLE = "+12125550102";
const SILENT = "+12125550106";

const SOON = { timeout: 120_000 };

// The commands sign in as the demo account.
const tandem = useTandem({});
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tandem-cli-messages-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (...args: readonly string[]) => runCommand(args, { environment: { TANDEM_DATA_DIR: tandem.dataDir } });

async function asJson<Data = Record<string, unknown>>(...args: readonly string[]): Promise<Data> {
  const ended = await run(...args, "--json");
  expect(ended).toMatchObject({ code: 0 });
  return JSON.parse(ended.stdout) as Data;
}

function expectRefused(ended: Ended, told: RegExp): void {
  expect(ended).toMatchObject({ code: 1, stdout: "", stderr: expect.stringMatching(told) });
}

describe("tandem send", () => {
  test("waits until it is delivered, from the demo's number unless another is given", async () => {
    const { code, stderr, stdout } = await run("send", "--to", FINE, "--text", "Hello", "--wait");
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(/^OM[0-9a-f]{32} is Queued\n(OM[0-9a-f]{32} is Sent\n)?$/),
    });
    expect(stdout).toMatch(/^From +\+14155550150$/m);
    expect(stdout).toMatch(/^Status +Delivered$/m);
  });

  test("a message that fails ends with 1 and says why", async () => {
    const { code, stdout } = await run("send", "--to", FAILS, "--text", "Hello", "--wait", "--json");
    const message = JSON.parse(stdout) as { sid: string };
    expect({ code, message }).toMatchObject({ code: 1, message: { status: "Failed", errorCode: 3004 } });
    const why = await run("messages", "why", message.sid);
    expect(why.stdout).toMatch(
      /is Failed, error 3004\nIt was not delivered\. The carrier could not deliver the message\..*\n\nAt +Step +Details\n/,
    );
    expect(why.stderr).toMatch(/^→ Send it again later/);
    expect(why.stderr).not.toContain("messages why");
    expect(why.stdout).toMatch(/ accepted [\s\S]* sent [\s\S]* receipt /);
    expect(await asJson("messages", "why", message.sid)).toMatchObject({ sid: message.sid, status: "Failed" });
  });

  test("what the carrier keeps for itself is not waited for endlessly, and can be settled by hand", async () => {
    const { code, stderr, stdout } = await run("send", "--to", SILENT, "--text", "Hello", "--wait", "5", "--json");
    const { sid } = JSON.parse(stdout) as { sid: string };
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining("After 5 s it is still Sent") });
    expect(await asJson("sandbox", "settle", sid, "--failed")).toEqual({ done: true });
    await expect.poll(() => asJson("messages", "show", sid), SOON).toMatchObject({ status: "Failed", errorCode: 3004 });
    expect((await run("messages", "show", sid)).stdout).toMatch(/^Error +3004: The carrier could not deliver/m);
  });

  test("a dry run says what would happen and sends nothing", async () => {
    const text = "Dürfen “wir”?";
    const found = await asJson("send", "--to", FINE, "--text", text, "--dry-run");
    expect(found).toMatchObject({ wouldSend: true, encoding: "UCS2", refusals: [] });
    const refused = await run("send", "--to", "12", "--text", text, "--dry-run");
    expect(refused).toMatchObject({ code: 1, stdout: expect.stringMatching(/Would be sent +no[\s\S]*1001 +To /) });
    const messages = await asJson<{ text: string }[]>("messages", "list");
    expect(messages.filter((message) => message.text === text)).toEqual([]);
  });

  test("a refusal tells its code and what to do", async () => {
    expectRefused(
      await run("send", "--to", FINE, "--text", "x", "--from", "+14155550999"),
      /^refused \(400\): From: .*\[sender-not-yours, error 2, request .*\]\n→ tandem numbers list/,
    );
    expectRefused(await run("send", "--to", "12", "--text", "x"), /\[recipient-invalid, error 1001, .*\n→ Numbers are/);
  });

  test("a message for later can be canceled, one that has left cannot", async () => {
    const { sid } = await asJson<{ sid: string }>("send", "--to", FINE, "--text", "Later", "--send-at", "2h");
    expect(await asJson("messages", "cancel", sid)).toMatchObject({ sid, status: "Canceled" });
    const sent = await asJson<{ sid: string }>("send", "--to", FINE, "--text", "Now", "--wait");
    expectRefused(await run("messages", "cancel", sent.sid), /^refused \(409\): .*Delivered/);
  });

  test("under the same key it is sent once", async () => {
    const sending = ["send", "--to", FINE, "--text", "Keyed", "--key", "order-7", "--priority", "high"];
    const first = await asJson<{ sid: string }>(...sending);
    expect(first).toMatchObject({ priority: "High" });
    expect(await asJson(...sending)).toMatchObject({ sid: first.sid });
  });

  test.each([
    [["send"]],
    [["send", "--to", FINE, "--text", "x", "--send-at", "soon"]],
    [["send", "--to", FINE, "--text", "x", "--dry-run", "--wait"]],
    [["messages", "list", "--status", "gone"]],
    [["messages", "export", "--csv", "--json"]],
    [["numbers", "configure", FROM]],
    [["configs", "create", "x", "--sending-times", "always"]],
    [["optouts", "add", FINE]],
    [["sandbox", "settle", "OM1"]],
  ])("%j is a wrong use", async (args) => {
    const { code, stderr, stdout } = await run(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).not.toMatch(/^ {4}at /m);
  });
});

describe("what is received", () => {
  test("a message from outside is listed and shown", async () => {
    const plain = await run("sandbox", "receive");
    expect(plain).toMatchObject({ code: 0, stderr: `The carrier has handed it over to ${FROM}.\n` });
    const simple = () => asJson<object[]>("messages", "inbound", "--from", "+14155550100");
    await expect.poll(simple, SOON).toMatchObject([{ to: FROM, text: "Hello" }]);
    // By default it is the account's oldest number.
    const signedIn = { TANDEM_URL: tandem.url, TANDEM_ACCOUNT_SID: tandem.accountSid, TANDEM_TOKEN: tandem.token };
    expect(await runCommand(["sandbox", "receive", "--from", SILENT], { environment: signedIn })).toEqual(plain);
    const received = await run("sandbox", "receive", "--from", FINE, "--text", "Good\u001b[31m morning");
    expect(received).toMatchObject({ code: 0, stderr: `The carrier has handed it over to ${FROM}.\n` });
    const list = () => asJson<{ sid: string }[]>("messages", "inbound", "--from", FINE);
    await expect.poll(list, SOON).toMatchObject([{ from: FINE, to: FROM, segmentCount: 1 }]);
    const [message] = await list();
    const shown = await run("messages", "show", message?.sid ?? "");
    // Text from a sender cannot control the terminal.
    expect(shown.stdout).toMatch(/^Text +Good.\[31m morning$/m);
    expect(shown.stdout).not.toContain("\u001b");
  });

  test("STOP is an opt-out until a user takes it back", async () => {
    await asJson("sandbox", "receive", "--from", FINE, "--to", FROM, "--text", "STOP");
    const list = () => asJson("optouts", "list", "--number", FINE);
    await expect.poll(list, SOON).toMatchObject([{ keyword: "STOP" }, { keyword: "STOP" }]);
    expectRefused(await run("send", "--to", FINE, "--text", "x"), /error 1002, .*\n→ They have to write START/);
    expect((await run("optouts", "remove", FINE, "--from", FROM)).code).toBe(0);
    expect((await run("optouts", "remove", FINE, "--campaign", "CDEMO01")).code).toBe(0);
    expect(await list()).toEqual([]);
    const added = await run("optouts", "add", FINE, "--from", FROM);
    expect(added).toMatchObject({ code: 0, stdout: expect.stringMatching(/\+12125550100 +SenderPhoneNumber/) });
    expect((await run("optouts", "add", FINE, "--from", FROM)).stderr).toBe("It had opted out already.\n");
    expect((await run("optouts", "remove", FINE, "--from", FROM)).code).toBe(0);
    expectRefused(await run("optouts", "remove", FINE, "--from", FROM), /^refused \(404\)/);
  });
});

describe("tandem numbers, configs and campaigns", () => {
  test("a number is found, taken, configured and given back", async () => {
    await tandem.operator("/operator/v1/Numbers", json("POST", { numbers: ["+16175550123"], features: ["SMS"] }));
    expect(await asJson("numbers", "available", "--area-code", "617", "--contains", "0123")).toEqual([
      { number: "+16175550123", features: ["SMS"] },
    ]);
    expect(await asJson("numbers", "buy", "+16175550123", "--name", "Desk")).toMatchObject({
      name: "Desk",
      status: "PendingMessagingConfigAdd",
    });
    const [{ sid: config }] = await asJson<[{ sid: string }]>("configs", "list");
    expectRefused(await run("send", "--from", "+16175550123", "--to", FINE, "--text", "x"), /error 3, .*\n→ .*--hold/);
    const configured = await asJson("numbers", "configure", "+16175550123", "--config", config, "--name", "none");
    expect(configured).toMatchObject({ name: null, status: "Active", messagingConfigSid: config });
    expect((await run("configs", "numbers", config)).stdout).toMatch(/^\+16175550123 /m);
    const removed = await run("configs", "remove-numbers", config, "+16175550123", "12");
    expect(removed).toMatchObject({ code: 1, stdout: expect.stringMatching(/\+16175550123 +done\n12 +refused: /) });
    expect((await run("numbers", "release", "+16175550123")).code).toBe(0);
    expect((await run("numbers", "list")).stdout).not.toContain("+16175550123");
    expect(await asJson("numbers", "list", "--status", "removed")).toMatchObject([{ number: "+16175550123" }]);
  });

  test("the operator puts a number into the inventory and gives it to an account", async () => {
    const number = "+16175550124";
    const added = await asJson("operator", "inventory", "add", number, FROM, "--features", "sms,mms");
    expect(added).toEqual({ added: [number], alreadyHere: [FROM] });
    const give = ["operator", "inventory", "give", number, tandem.accountSid, "--name", "Given"];
    expect(await asJson(...give)).toMatchObject({ number, name: "Given", features: ["SMS", "MMS"] });
    expect((await run("operator", "inventory", "list")).stdout).toMatch(/^\+16175550124 +- +SMS, MMS /m);
    const code = ["operator", "inventory", "add", "72345", "--country", "us"];
    expect(await asJson(...code)).toEqual({ added: ["72345"], alreadyHere: [] });
    expectRefused(await run(...give), /^refused \(409\): .*serves AC[0-9a-f]{32} already/);
    expect((await run("numbers", "release", number)).code).toBe(0);
    expect((await run("operator", "inventory", "remove", number)).code).toBe(0);
    const signedIn = { TANDEM_URL: tandem.url, TANDEM_ACCOUNT_SID: tandem.accountSid, TANDEM_TOKEN: tandem.token };
    const lacking = await runCommand(["operator", "inventory", "list"], { environment: signedIn });
    expect(lacking).toMatchObject({ code: 2, stderr: expect.stringContaining("TANDEM_OPERATOR_TOKEN") });
  });

  test("the operator sees the links, stops one and starts it again", async () => {
    expect((await run("operator", "links", "list")).stdout).toMatch(/^sandbox +sandbox +sms +bound +\S+Z /m);
    expect((await run("operator", "links", "stop", "sandbox-mms")).stderr).toMatch(
      /^sandbox-mms is stopped since .*Z\.\n$/,
    );
    const stateOf = async () =>
      (await asJson<{ name: string; state: string }[]>("operator", "links", "list")).find(
        ({ name }) => name === "sandbox-mms",
      )?.state;
    await expect.poll(stateOf, SOON).toBe("stopped");
    expect(await asJson("operator", "links", "start", "sandbox-mms")).toMatchObject({ stoppedOn: null });
    await expect.poll(stateOf, SOON).toBe("bound");
    expectRefused(await run("operator", "links", "stop", "west"), /^refused \(404\): .*no carrier link west/);
  });

  test("a config is made, changed, linked and deleted", async () => {
    const made = await asJson<{ sid: string }>(
      ...["configs", "create", "Reminders", "--sending-times", "Mon-Fri 09:00-20:00 America/New_York"],
      ...["--help-reply", "Call us."],
    );
    expect(made).toMatchObject({ sendingTimes: { days: ["Mon", "Tue", "Wed", "Thu", "Fri"] }, helpReply: "Call us." });
    const { sid } = made;
    const words = ["--opt-out-keywords", "enough,no more", "--help-keywords", "none"];
    const changed = await asJson("configs", "change", sid, "--sending-times", "any", "--help-reply", "none", ...words);
    expect(changed).toMatchObject({ name: "Reminders", sendingTimes: null, helpReply: null, helpKeywords: [] });
    expect((await run("configs", "show", sid)).stdout).toMatch(/^Opt-out keywords +ENOUGH, NO MORE$/m);
    const [campaign] = await asJson<[{ tcrCampaignId: string; messagingConfigSid: string }]>("campaigns", "list");
    expectRefused(await run("configs", "change", sid, "--campaign", campaign.tcrCampaignId), /^refused \(409\)/);
    expect(await asJson("campaigns", "unlink", campaign.tcrCampaignId)).toMatchObject({ messagingConfigSid: null });
    const back = ["campaigns", "link", campaign.tcrCampaignId, campaign.messagingConfigSid];
    expect(await asJson(...back)).toMatchObject({ messagingConfigSid: campaign.messagingConfigSid });
    expect((await run("campaigns", "show", campaign.tcrCampaignId)).stdout).toMatch(/^Status +Active$/m);
    expect((await run("configs", "show", sid)).stdout).toMatch(/^Sending times +any$/m);
    expect(await asJson("configs", "delete", sid)).toEqual({ sid, deleted: true });
    expectRefused(await run("configs", "show", sid), /^refused \(404\)/);
  });
});

const HEADER =
  "CreatedOn,From,To,TextSegmentCount,Status,ErrorCode,ErrorDescription,Campaign ID,RecipientCarrierName,Text";

describe("tandem messages export", () => {
  test("writes what fits, quoted and untouched", async () => {
    const text = '=1+1, "so"\nsecond line';
    expect((await run("send", "--to", UNREACHABLE, "--text", text, "--wait")).code).toBe(1);
    const out = join(folder, "out.csv");
    const done = await run("messages", "export", "--csv", out, "--to", UNREACHABLE, "--since", "1h", "--json");
    expect({ ...done, stdout: JSON.parse(done.stdout) }).toMatchObject({ code: 0, stdout: { out, rows: 1 } });
    const [header, ...rows] = readFileSync(out, "utf8").split("\r\n");
    expect(header).toBe(HEADER);
    expect(rows).toEqual([
      expect.stringMatching(
        /^\d{4}-\d\d-\d\dT[\d:.]+Z,\+14155550150,\+12125550102,1,Failed,1003,[^,]+,CDEMO01,[^,]+,"=1\+1, ""so""\nsecond line"$/,
      ),
      "",
    ]);
    const dash = await run("messages", "export", "--csv", "-", "--to", UNREACHABLE);
    expect(dash.stdout).toBe(readFileSync(out, "utf8"));
    const lines = await run("messages", "export", "--json", "--error-code", "1003");
    expect(
      lines.stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toMatchObject([{ text, errorCode: 1003 }]);
    expect((await run("messages", "export", "--csv", "--status", "Expired")).stdout).toBe(`${HEADER}\r\n`);
  });

  test("goes through every page, however busy or shaky the server is", async () => {
    const faults = new Map([
      [2, 429],
      [4, 503],
    ]);
    let requests = 0;
    const server = createServer((request, response) => {
      const status = faults.get(++requests);
      if (status !== undefined) return response.writeHead(status, { "Retry-After": "0" }).end("{}");
      const page = Number(new URL(request.url ?? "", "http://localhost").searchParams.get("SearchId") ?? 0);
      const items = Array.from({ length: 1000 }, (_, at) => ({
        ...{ createdOn: "2026-01-31T09:00:00.000Z", from: FROM, recipients: [FINE], segmentCount: 1, status: "Sent" },
        ...{ errorCode: 0, errorDescription: null, tcrCampaignId: null, carrier: null, text: `${page * 1000 + at}` },
      }));
      const more = page < 3 ? { searchId: String(page + 1) } : {};
      return response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify({ items, ...more }));
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const out = join(folder, "pages.csv");
    const environment = { TANDEM_URL: url, TANDEM_ACCOUNT_SID: "AC1", TANDEM_TOKEN: "t" };
    const done = await runCommand(["messages", "export", "--csv", out], { environment });
    expect(done).toMatchObject({ code: 0, stderr: expect.stringContaining("4,000 messages.") });
    const texts = readFileSync(out, "utf8")
      .trimEnd()
      .split("\r\n")
      .slice(1)
      .map((row) => row.split(",").at(-1));
    expect(texts).toEqual(Array.from({ length: 4000 }, (_, at) => String(at)));
    // A server that is down permanently leaves no partial file.
    faults.set(requests + 2, 500);
    const broken = await runCommand(["messages", "export", "--csv", join(folder, "no.csv"), "--retries", "0"], {
      environment,
    });
    expect(broken).toMatchObject({ code: 1, stderr: expect.stringContaining("refused (500)") });
    expect(existsSync(join(folder, "no.csv")) || existsSync(join(folder, "no.csv.partial"))).toBe(false);
    // A reader that closes the pipe early is no fault.
    const { child, ended } = startCommand(["messages", "export"], { environment });
    child.stdout?.destroy();
    expect(await ended).toMatchObject({ code: 0, stderr: expect.not.stringMatching(/error|epipe|refused/i) });
    server.closeAllConnections();
    server.close();
  });
});
