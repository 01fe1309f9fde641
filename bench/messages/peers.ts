// The two sides of the benchmark: Tandem and Kannel, both bound to the same SMSC, each under a name of its own. The
// SMSC sends the receipts of a message only to the side that submitted it.

import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Database } from "../../src/adapters/store/engine/database.ts";
import { basic, json, startTandem, type Tandem } from "../../test/tandem.ts";
import { databaseOf } from "../../test/tandem-database.ts";
import { type Processes, processesOf } from "../load/processor-time.ts";
import type { Callbacks } from "./receiver.ts";

export interface SmscCounts {
  readonly submits: number;
  readonly receipts: number;
}

export interface BenchSmsc {
  readonly port: number;
  counts(): Promise<SmscCounts>;
  close(): void;
}

export async function startSmsc(mode: "plain" | "receipts"): Promise<BenchSmsc> {
  const child = fork("bench/messages/smsc.ts", [mode], { execArgv: ["--import", "tsx"] });
  const [{ port }] = (await once(child, "message")) as [{ port: number }];
  return {
    port,
    async counts() {
      child.send("counts");
      const [counts] = (await once(child, "message")) as [SmscCounts];
      return counts;
    },
    close: () => child.disconnect(),
  };
}

export interface Receiver {
  readonly url: string;
  callbacks(): Promise<Callbacks>;
  /** Resets its counts. */
  forget(): Promise<void>;
  close(): void;
}

export async function startReceiver(): Promise<Receiver> {
  const child = fork("bench/messages/receiver.ts", [], { execArgv: ["--import", "tsx"] });
  const [{ port }] = (await once(child, "message")) as [{ port: number }];
  const ask = async (question: string) => {
    child.send(question);
    const [callbacks] = (await once(child, "message")) as [Callbacks];
    return callbacks;
  };
  return {
    url: `http://127.0.0.1:${port}`,
    callbacks: () => ask("callbacks"),
    forget: async () => void (await ask("forget")),
    close: () => child.disconnect(),
  };
}

/** A gateway that accepts messages over HTTP and submits them to the SMSC. */
export interface Gateway {
  readonly name: string;
  readonly url: string;
  readonly processes: Processes;
  /** Where it stores messages, unless in files. */
  readonly database?: Database;
  /** The script for wrk. Each delivered message calls back below the URL `callback`. */
  script(texts: { readonly text: string; readonly callback: string | undefined }): string;
  close(): Promise<void>;
}

export interface OurGateway extends Gateway {
  readonly tandem: Tandem;
  readonly authorization: string;
  /** The form that is posted, without the last four digits of the recipient. */
  form(text: string): string;
}

const RECIPIENTS = 10_000;
const WINDOW = 100;
/** Fifty milliseconds each: a busy machine takes a while to start Kannel. */
const STARTING_TRIES_MAX = 1_200;

let started = 0;

/** A data directory that is given is kept. */
export async function startOurs(smsc: BenchSmsc, dataDir?: string): Promise<OurGateway> {
  const directory = mkdtempSync(join(tmpdir(), "tandem-bench-config-"));
  const config = join(directory, "tandem.config.json");
  const link = {
    name: "bench",
    host: "127.0.0.1",
    port: smsc.port,
    systemId: `tandem${++started}`,
    password: "bench",
    windowSize: WINDOW,
  };
  writeFileSync(
    config,
    JSON.stringify({ carriers: [{ name: "bench", smpp: [link] }], routes: [{ to: [{ carrier: "bench" }] }] }),
  );
  const tandem = await startTandem({
    ...(dataDir === undefined ? {} : { dataDir }),
    environment: { TANDEM_LOG_LEVEL: "warn", TANDEM_CONFIG: config },
  });
  const most = { requests: 1_000_000_000, windowSeconds: 10 };
  const limits = { send: most, sendToRecipient: most, read: most };
  await tandem.operator(`/operator/v1/Accounts/${tandem.accountSid}`, json("PATCH", { limits }));
  const phones = (await (await tandem.get("/v1/Phones")).json()) as { items: { number: string }[] };
  const from = phones.items[0]?.number as string;
  const { Authorization } = basic(tandem.accountSid, tandem.token);
  const database = databaseOf(tandem);
  const form = (text: string) => `From=${encodeURIComponent(from)}&Text=${encodeURIComponent(text)}&To=%2B1415474`;
  return {
    name: "ours",
    url: tandem.url,
    processes: processesOf(tandem),
    database,
    tandem,
    authorization: Authorization,
    form,
    script: ({ text, callback }) => `
local head = "${form(text)}"
local headers = { ["Authorization"] = "${Authorization}", ["Content-Type"] = "application/x-www-form-urlencoded" }
local callback = "${callback === undefined ? "" : `&CallbackUrlOverride=${encodeURIComponent(callback)}%2F`}"
${counting(callback === undefined ? '""' : 'callback .. sent .. "%23statuses%3Dfinal"')}
request = function() return wrk.format("POST", "/messaging/v1/OutboundMessages", headers, head .. next()) end
${checking("200")}`,
    async close() {
      await database.close();
      await tandem.stop();
    },
  };
}

// Every connection of wrk shares these: the last digits of the recipient, and what follows them.
const counting = (tail: string) => `local at, sent = math.random(0, ${RECIPIENTS - 1}), 0
local next = function() at = (at + 1) % ${RECIPIENTS}; sent = sent + 1; return string.format("%04d", at) .. ${tail} end`;

const checking = (status: string) => `local faults = 0
response = function(status, headers, body) if status ~= ${status} then faults = faults + 1; if faults == 1 then print("status " .. status .. " " .. body) end end end`;

type KannelStore = "none" | "spool" | "file";

export async function startKannel(smsc: BenchSmsc, store: KannelStore): Promise<Gateway> {
  const directory = mkdtempSync(join(tmpdir(), "tandem-bench-kannel-"));
  const [admin, box, http] = await Promise.all([freePort(), freePort(), freePort()]);
  if (store === "spool") mkdirSync(join(directory, store));
  const file = join(directory, "kannel.conf");
  writeFileSync(file, kannelConfig({ admin, box, http, smsc: smsc.port, store, directory }));
  const bearerbox = startBox("bearerbox", file);
  await listening(admin);
  await listening(box);
  const smsbox = startBox("smsbox", file);
  await listening(http);
  await online(admin);
  return {
    name: `kannel, store ${store}`,
    url: `http://127.0.0.1:${http}`,
    processes: { bearerbox: bearerbox.pid ?? 0, smsbox: smsbox.pid ?? 0 },
    // The mask requests a callback for delivery only.
    script: ({ text, callback }) => `
local head = "/cgi-bin/sendsms?username=tester&password=foobar&from=%2B14155550100&coding=0&text=${encodeURIComponent(text)}&to=%2B1415474"
local callback = "${callback === undefined ? "" : `&dlr-mask=1&dlr-url=${encodeURIComponent(callback)}%2F`}"
${counting(callback === undefined ? '""' : "callback .. sent")}
request = function() return wrk.format("GET", head .. next()) end
${checking("202")}`,
    async close() {
      await ended(smsbox);
      await ended(bearerbox);
    },
  };
}

/** Ends with this process. */
function startBox(name: string, file: string): ChildProcess {
  const box = spawn(name, ["-v", "4", file], { stdio: "ignore" });
  process.once("exit", () => box.kill());
  return box;
}

interface KannelSettings {
  readonly admin: number;
  readonly box: number;
  readonly http: number;
  readonly smsc: number;
  readonly store: KannelStore;
  readonly directory: string;
}

// A failed callback is retried, so that none is lost when the receiver closes a connection.
function kannelConfig({ admin, box, http, smsc, store, directory }: KannelSettings): string {
  return `group = core
admin-port = ${admin}
admin-password = bar
smsbox-port = ${box}
box-allow-ip = "127.0.0.1"
sms-outgoing-queue-limit = 1000000
sms-incoming-queue-limit = 1000000
${store === "none" ? "" : `store-type = ${store}\nstore-location = ${join(directory, store)}\n`}
group = smsc
smsc = smpp
smsc-id = bench
host = 127.0.0.1
port = ${smsc}
transceiver-mode = true
smsc-username = "kannel"
smsc-password = "bench"
system-type = ""
max-pending-submits = ${WINDOW}
enquire-link-interval = 30

group = smsbox
bearerbox-host = 127.0.0.1
sendsms-port = ${http}
global-sender = 123
http-request-retry = 5
http-queue-delay = 1

group = sendsms-user
username = tester
password = foobar
max-messages = 10
concatenation = true

group = sms-service
keyword = default
text = "No service specified"
`;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address ? address.port : 0;
}

async function listening(port: number): Promise<void> {
  for (let tries = 0; tries < STARTING_TRIES_MAX; tries++) {
    const { connect } = await import("node:net");
    const isUp = await new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1");
      socket.once("connect", () => {
        socket.destroy();
        resolve(true);
      });
      socket.once("error", () => resolve(false));
    });
    if (isUp) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`nothing listens on port ${port}`);
}

/** Kannel accepts messages before its SMSC link is bound; they would wait then. */
async function online(admin: number): Promise<void> {
  for (let tries = 0; tries < STARTING_TRIES_MAX; tries++) {
    const status = await fetch(`http://127.0.0.1:${admin}/status.txt?password=bar`).then((answer) => answer.text());
    if (/online \d+s/.test(status) && /smsbox:/.test(status)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("Kannel did not get online");
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill("SIGTERM");
  await once(child, "exit");
}
