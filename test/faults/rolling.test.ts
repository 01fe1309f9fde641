// A rolling restart and a rolling upgrade behind HAProxy, with the sample configuration: clients that try nothing twice
// see no fault while every node is stopped and started again, by this version, the next one, and this one after it. No
// message is lost, none reaches the carrier twice.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { Smsc } from "../../src/sandbox/smsc/smsc.ts";
import { newMessenger, newSender, SEND } from "../contract/messages.ts";
import { SOON } from "../contract/numbers.ts";
import { silent } from "../fakes/silent-log.ts";
import { ownPort } from "../own-port.ts";
import { startHaproxy } from "../peers/haproxy.ts";
import { requirePeer } from "../peers/peer.ts";
import { basic, type Tandem } from "../tandem.ts";
import { databaseOf } from "../tandem-database.ts";
import { LONG_TIMEOUT_MS, roundsOf } from "./form.ts";
import { buildNext } from "./next-version.ts";
import { startTwo } from "./nodes.ts";

const program = requirePeer("haproxy", "haproxy");
const ROUNDS = roundsOf({ quick: 1, long: 10 });
const NAMES = ["node1", "node2"];
/** Far longer than HAProxy takes to notice. */
const LAME_DUCK_SECONDS = 3;
const CLIENTS = 4;
const PACE_MS = 50;

describe.skipIf(!program)("behind HAProxy", () => {
  test(
    "a rolling restart fails no request, and no message is lost or sent twice",
    async () => {
      const world = await startBehindHaproxy();
      const load = await world.startLoad();
      for (let round = 1; round <= ROUNDS; round++) await world.replaceAll(load);
      await world.expectSentOnce(load);
    },
    LONG_TIMEOUT_MS,
  );

  test(
    "neither does a rolling upgrade, with a step of the schema, nor the way back",
    async () => {
      const next = buildNext();
      const world = await startBehindHaproxy();
      const load = await world.startLoad();
      const before = await world.versions();
      for (let round = 1; round <= ROUNDS; round++) {
        await world.replaceAll(load, next.command);
        expect(await world.versions()).toEqual(NAMES.map(() => next.version));
        await world.replaceAll(load);
        expect(await world.versions()).toEqual(before);
      }
      await world.expectSentOnce(load);
    },
    LONG_TIMEOUT_MS,
  );
});

/** Two nodes with all roles on one database, with a carrier of the test's, behind HAProxy. */
async function startBehindHaproxy() {
  const directory = mkdtempSync(join(tmpdir(), "tandem-rolling-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const smsc = await Smsc.listen({ host: "127.0.0.1", port: 0, log: silent, receiptDelayMs: 0 });
  onTestFinished(() => smsc.close());
  const config = join(directory, "tandem.config.json");
  const link = { name: "own", host: "127.0.0.1", port: smsc.port, systemId: "tandem", password: "secret" };
  writeFileSync(config, JSON.stringify({ carriers: [{ name: "own", smpp: [link] }] }));
  const ports = [await ownPort(), await ownPort()] as const;
  const settingsFor = (port: number) => ({
    TANDEM_PORT: String(port),
    TANDEM_CONFIG: config,
    TANDEM_LAME_DUCK_SECONDS: String(LAME_DUCK_SECONDS),
    TANDEM_LOG_LEVEL: "warn",
  });
  const started = await startTwo([settingsFor(ports[0]), settingsFor(ports[1])]);
  const servers = Object.fromEntries(NAMES.map((name, at) => [name, `127.0.0.1:${ports[at]}`]));
  const haproxy = await startHaproxy({ program: program as string, port: await ownPort(), servers });
  onTestFinished(() => haproxy.stop());
  const { nodes, databaseUrl } = started;
  return {
    versions: () => Promise.all(nodes.map(({ tandem }) => versionOf(tandem))),
    async startLoad() {
      const [{ tandem }] = nodes;
      const database = databaseOf({ databaseUrl });
      onTestFinished(() => database.close());
      const account = await newMessenger(tandem);
      const { number } = await newSender(tandem, database, account);
      return startLoad(`${haproxy.url}${SEND}`, basic(account.sid, account.token), number);
    },
    /** One node after the other; without a command, by this build. */
    async replaceAll({ answers }: Load, command?: readonly string[]) {
      for (const [at, node] of nodes.entries()) {
        expect(await node.tandem.stop()).toBe(0);
        node.tandem = await node.start(command);
        const isUp = async () => (await haproxy.servers()).get(NAMES[at] ?? "")?.status;
        await expect.poll(isUp, SOON).toBe("UP");
        const before = answers.length;
        await expect.poll(() => answers.length, SOON).toBeGreaterThan(before + CLIENTS);
      }
    },
    async expectSentOnce(load: Load) {
      const answers = await load.stop();
      console.log(`${answers.length} requests`);
      expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
      for (const [name, { econ, eresp, wretr }] of await haproxy.servers()) {
        expect([name, econ, eresp, wretr]).toEqual([name, "0", "0", "0"]);
      }
      const sent = answers.map(({ body }) => (JSON.parse(body) as { text: string }).text).sort();
      expect(new Set(sent).size).toBe(sent.length);
      await expect.poll(() => smsc.received.length, SOON).toBeGreaterThanOrEqual(sent.length);
      expect(smsc.received.map((received) => received.text).sort()).toEqual(sent);
    },
  };
}

async function versionOf({ url }: Tandem): Promise<string> {
  return ((await (await fetch(`${url}/healthz`)).json()) as { version: string }).version;
}

interface Answer {
  /** Or why there was none. */
  readonly status: number | string;
  readonly body: string;
}

type Load = ReturnType<typeof startLoad>;

/** Clients that send one message after the other, half of them each over a connection of its own. */
function startLoad(url: string, headers: Readonly<Record<string, string>>, from: string) {
  const answers: Answer[] = [];
  let isOver = false;
  let made = 0;
  const clients = Array.from({ length: CLIENTS }, async (_, at) => {
    const agent = new Agent({ keepAlive: at % 2 === 0, maxSockets: 1 });
    while (!isOver) {
      const order = { From: from, To: "+12125550100", Text: `Message ${++made}` };
      answers.push(await post(url, agent, headers, JSON.stringify(order)));
      await pause(PACE_MS);
    }
    agent.destroy();
  });
  return {
    answers,
    async stop() {
      isOver = true;
      await Promise.all(clients);
      return answers;
    },
  };
}

function post(url: string, agent: Agent, headers: Readonly<Record<string, string>>, body: string): Promise<Answer> {
  return new Promise((resolve) => {
    const failed = (fault: Error) => resolve({ status: fault.message, body });
    const own = { ...headers, "Content-Type": "application/json" };
    const sending = request(url, { method: "POST", agent, headers: own }, (answer) => {
      text(answer).then((got) => resolve({ status: answer.statusCode ?? 0, body: got }), failed);
    });
    sending.on("error", failed).end(body);
  });
}
