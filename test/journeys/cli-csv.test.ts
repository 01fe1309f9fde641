// A CSV file of thousands of rows, with every kind of interruption.

import { EventEmitter, once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { answerTo, type LookupServer, startLookupServer } from "../fakes/lookup-server.ts";
import { useTandem } from "../use-tandem.ts";
import { runCommand, startCommand } from "./tandem-command.ts";

let folder: string;
let input: string;
let out: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tandem-csv-"));
  input = join(folder, "in.csv");
  out = join(folder, "out.csv");
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const lookup = (...more: readonly string[]) => ["lookup", "--csv", input, "--out", out, ...more];
const environmentOf = (url: string) => ({ TANDEM_URL: url, TANDEM_ACCOUNT_SID: "AC1", TANDEM_TOKEN: "t" });
const outputRows = () => readFileSync(out, "utf8").trimEnd().split("\n").slice(1);

function numberAt(at: number): string {
  return `+1415${4_740_000 + at}`;
}

function writeInput(count: number): void {
  const rows = Array.from({ length: count }, (_, at) => `row ${at},${numberAt(at)}\n`);
  writeFileSync(input, `name,phone\n${rows.join("")}`);
}

/** Forwards requests to a server and reports how many arrived. */
async function startRelay(target: string) {
  const counted = new EventEmitter();
  let count = 0;
  const server = createServer(async (request, response) => {
    counted.emit("request", ++count);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = "GET", headers } = request;
    const passed = { Authorization: headers.authorization ?? "", "Content-Type": headers["content-type"] ?? "" };
    const answer = await fetch(target + request.url, { method, headers: passed, body: Buffer.concat(chunks) });
    response.writeHead(answer.status, { "Content-Type": "application/json" }).end(await answer.text());
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async heard(wanted: number) {
      while (count < wanted) await once(counted, "request");
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function expectWhole(count: number): void {
  const expected = Array.from({ length: count }, (_, at) => {
    const { carrierName, number, status, type } = answerTo(numberAt(at)) as Record<string, string>;
    return `row ${at},${number},${number},${status},${type},"${carrierName}",`;
  });
  expect(outputRows()).toEqual(expected);
  expect(readdirSync(folder).sort()).toEqual(["in.csv", "out.csv"]);
}

describe("a server that behaves badly", () => {
  let server: LookupServer;

  afterEach(() => server.close());

  test("killed again and again between denials, the command goes on and no row is lost or doubled", async () => {
    const killAt = new Set([1, 4, 7, 11]);
    server = await startLookupServer({
      conduct: (before) => (killAt.has(before) ? "hang" : before % 3 === 0 ? "deny" : "answer"),
    });
    writeInput(6500);
    for (const batch of killAt) {
      const { child, ended } = startCommand(lookup(), { environment: environmentOf(server.url) });
      await server.heard(batch + 1);
      child.kill("SIGKILL");
      expect((await ended).signal).toBe("SIGKILL");
    }
    const last = await runCommand(lookup("--json"), { environment: environmentOf(server.url) });
    expect(last).toMatchObject({ code: 0, stderr: expect.stringContaining("Going on after 4,000 rows") });
    expect(JSON.parse(last.stdout)).toEqual({ out, rows: 6500, refused: 0 });
    expectWhole(6500);
  });

  test("killed while it writes, wherever that hits it, nothing is lost or doubled", async () => {
    server = await startLookupServer();
    writeInput(20_000);
    for (let heard = 2; heard <= 14; heard += 4) {
      const { child, ended } = startCommand(lookup(), { environment: environmentOf(server.url) });
      // The response is in flight: it may be unread, half written or recorded when the kill happens.
      await server.heard(heard);
      child.kill("SIGKILL");
      await ended;
    }
    expect((await runCommand(lookup(), { environment: environmentOf(server.url) })).code).toBe(0);
    expectWhole(20_000);
  });

  test("Ctrl-C says how far it came, and the same command goes on", async () => {
    server = await startLookupServer({ conduct: (before) => (before === 2 ? "hang" : "answer") });
    writeInput(3000);
    const { child, ended } = startCommand(lookup(), { environment: environmentOf(server.url) });
    await server.heard(3);
    child.kill("SIGINT");
    const stopped = await ended;
    expect(stopped.code).toBe(130);
    expect(stopped.stderr).toContain("2,000 of 3,000 rows are done and kept. The same command goes on from there.");
    expect(readdirSync(folder).sort()).toEqual(["in.csv", "out.csv.partial", "out.csv.partial.json"]);
    expect((await runCommand(lookup(), { environment: environmentOf(server.url) })).code).toBe(0);
    expectWhole(3000);
  });

  test("a network that is gone ends it with 1 after the tries it was allowed, and it goes on later", async () => {
    server = await startLookupServer({ conduct: (before) => (before === 1 || before === 2 ? "cut" : "answer") });
    writeInput(2000);
    const lost = await runCommand(lookup("--retries", "1"), { environment: environmentOf(server.url) });
    expect(lost).toMatchObject({ code: 1, stderr: expect.stringMatching(/Stopped: .* cannot be reached/) });
    expect(lost.stderr).toContain("1,000 of 2,000 rows are done and kept.");
    expect((await runCommand(lookup(), { environment: environmentOf(server.url) })).code).toBe(0);
    expectWhole(2000);
  });

  test("a pipe goes in and a pipe comes out, and no file is left", async () => {
    server = await startLookupServer();
    const environment = { ...environmentOf(server.url), TMPDIR: folder };
    const piped = (input: string, ...more: readonly string[]) =>
      runCommand(["lookup", "--csv", "-", "--out", "-", ...more], { environment, input, cwd: folder });
    const done = await piped("phone\n+14154740001\nnone\n");
    expect(done).toMatchObject({ code: 0, stderr: expect.stringContaining("standard output: 2 rows; 1 were refused") });
    expect(done.stdout).toBe(
      'phone,number,status,type,carrierName,error\n+14154740001,+14154740001,Active,Landline,"Carrier, 001",\nnone,none,,,,This is no number.\n',
    );
    expect(await piped("")).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("standard input") });
    expect(await piped("phone\n", "--json")).toMatchObject({ code: 2, stderr: expect.stringContaining("choose one") });
    writeInput(2);
    const out = await runCommand(["lookup", "--csv", input, "--out", "-"], { environment });
    expect(out.stdout.split("\n")).toHaveLength(4);
    const send = ["send", "--csv", "-", "--text", "Hi", "--from", "+14155550150"];
    expect(await runCommand(send, { environment, input: "phone\n" })).toMatchObject({
      ...{ code: 2, stderr: expect.stringContaining("--out FILE") },
    });
    expect((await runCommand([...send, "--out", "-"], { environment, input: "phone\n" })).code).toBe(2);
    expect(readdirSync(folder)).toEqual(["in.csv"]);
  });

  test("a pipe whose work is stopped says that nothing is kept", async () => {
    server = await startLookupServer({ conduct: () => "hang" });
    writeInput(1);
    const environment = { ...environmentOf(server.url), TMPDIR: folder };
    const { child, ended } = startCommand(["lookup", "--csv", input, "--out", "-"], { environment });
    await server.heard(1);
    child.kill("SIGINT");
    expect(await ended).toMatchObject({
      ...{ code: 130, stdout: "" },
      stderr: expect.stringContaining("0 of 1 rows were done; nothing is written before all are."),
    });
    expect(readdirSync(folder)).toEqual(["in.csv"]);
  });

  test("two commands do not write the same output", async () => {
    server = await startLookupServer({ conduct: (before) => (before === 0 ? "hang" : "answer") });
    writeInput(10);
    const { child, ended } = startCommand(lookup(), { environment: environmentOf(server.url) });
    await server.heard(1);
    const second = await runCommand(lookup(), { environment: environmentOf(server.url) });
    expect(second).toMatchObject({ code: 2, stderr: expect.stringContaining(`Process ${child.pid} is writing`) });
    child.kill("SIGTERM");
    expect((await ended).code).toBe(130);
  });

  test("what cannot work is reported before anything is asked", async () => {
    server = await startLookupServer();
    writeInput(1);
    const run = (args: readonly string[]) => runCommand(args, { environment: environmentOf(server.url) });
    const cases: readonly (readonly [readonly string[], string])[] = [
      [["lookup", "--csv", input, "--out", input], "input and output at once"],
      [["lookup", "--csv", input, "--out", join(folder, "..", folder.split("/").at(-1) ?? "", "in.csv")], "at once"],
      [["lookup", "--csv", join(folder, "none.csv"), "--out", out], "cannot be read"],
      [["lookup", "--csv", input, "--out", join(folder, "none", "out.csv")], "is no directory"],
      [["lookup", "--csv", input], "--out FILE is missing"],
      [lookup("--column", "mobile"), "There is no column mobile; the columns are: name, phone."],
    ];
    for (const [args, message] of cases) {
      expect(await run(args)).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(message) });
    }
    expect(server.batches).toEqual([]);
    expect(readdirSync(folder)).toEqual(["in.csv"]);
  });
});

describe("the real server", () => {
  // A server of its own, because the tests read its metrics.
  const tandem = useTandem({});

  test("killed in the middle, the output is the one the API itself would give", async () => {
    const numbers = Array.from({ length: 3000 }, (_, at) => (at % 100 === 7 ? `x${at}` : numberAt(at * 31)));
    writeFileSync(input, `phone\r\n${numbers.join("\r\n")}\r\n`);
    const { accountSid, token, url } = tandem;
    const environment = { TANDEM_URL: url, TANDEM_ACCOUNT_SID: accountSid, TANDEM_TOKEN: token };
    const relay = await startRelay(url);
    const { child, ended } = startCommand(lookup("--url", relay.url), { environment });
    await relay.heard(2);
    child.kill("SIGKILL");
    await ended;
    await relay.close();
    const done = await runCommand(lookup(), { environment });
    expect(done).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/Going on after 1,000 rows[\s\S]*30 were refused/),
    });
    const rows = outputRows().map((row) => row.trimEnd());
    expect(rows).toHaveLength(3000);
    expect(rows.map((row) => row.split(",")[0])).toEqual(numbers);
    for (const at of [0, 1500, 2999]) {
      const answer = await tandem.get(`/carrierLookup/v1/Numbers/${numbers[at]}`);
      const { carrierName, number, status, type } = (await answer.json()) as Record<string, string | null>;
      expect(rows[at]).toContain(
        `,${number},${status},${type},${carrierName?.includes(",") ? '"' : ""}${carrierName ?? ""}`,
      );
    }
  });

  test("a small limit is learnt from the first denial and kept to from then on", async () => {
    const limits = { lookupBatch: { requests: 400, windowSeconds: 1 } };
    const made = await tandem.operator("/operator/v1/Accounts", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ name: "Small", limits }),
    });
    const { sid, token } = (await made.json()) as { sid: string; token: string };
    writeInput(1000);
    const environment = { TANDEM_URL: tandem.url, TANDEM_ACCOUNT_SID: sid, TANDEM_TOKEN: token };
    expect((await runCommand(lookup(), { environment })).code).toBe(0);
    expect(outputRows()).toHaveLength(1000);
    // The first batch is sent before the limit is known.
    const metrics = await (await fetch(`${tandem.url}/metrics`)).text();
    expect(metrics).toMatch(/_count{operation="lookUpNumbers",status="4xx"} 1\n/);
  });
});
