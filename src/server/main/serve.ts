// The command that runs the server: progress, demo credentials, banner, signals.

import { systemClock } from "../../base/clock.ts";
import { readConfig } from "../config/config.ts";
import { stopTimes } from "../running/stop-times.ts";
import { demoAccount, newTicket } from "../sandbox/demo.ts";
import { readDemoEnv, writeDemoEnv } from "../sandbox/demo-env.ts";
import { stockInventory } from "../sandbox/demo-numbers.ts";
import { type BannerFacts, banner, readyFact } from "./banner.ts";
import { dataDirectoryFault } from "./data-directory-fault.ts";
import { openLog } from "./log.ts";
import { ensureOperatorToken } from "./operator-token.ts";
import { type RunningServer, type ServerOrder, startServer } from "./start.ts";
import { stopRequests } from "./stop-requests.ts";
import { untilDatabaseAnswers } from "./until-database-answers.ts";

/** sysexits.h: the configuration is wrong. */
const EXIT_CONFIG = 78;
const LEFT_MS = 1_000;

export interface ServeOrder {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  /** One JSON object per line on standard output, for programs, instead of text for people. */
  readonly isJson?: boolean;
}

interface Welcome extends BannerFacts {
  readonly server: RunningServer;
}

/** Serves until a signal stops it; returns the exit code. */
export async function serve({ environment, isJson = false, version }: ServeOrder): Promise<number> {
  const startedMs = performance.now();
  const tell = (text: string, fact: object) => process.stdout.write(isJson ? `${JSON.stringify(fact)}\n` : text);
  const refuse = (text: string, error: object) =>
    process.stderr.write(isJson ? `${JSON.stringify({ error })}\n` : `${text}\n`);
  const read = readConfig(environment);
  if (!read.ok) {
    const message = "The settings are not right";
    refuse([`${message}:`, ...read.refusal.map((fault) => `  ${fault}`)].join("\n"), {
      kind: "settings",
      message: `${message}.`,
      faults: read.refusal,
    });
    return EXIT_CONFIG;
  }
  const config = read.value;
  const log = openLog(config.settings.TANDEM_LOG_LEVEL, { fd: process.stderr.fd, stream: () => process.stderr });
  const stop = stopRequests(log, stopTimes(config.settings));
  const progress = (step: string) => tell(`· ${step}\n`, { event: "step", step });
  let server: RunningServer;
  try {
    const order: ServerOrder = {
      config,
      log,
      version,
      progress,
      onLost: stop.lost,
      onDrain: stop.drain,
      onDatabase: stop.endWith,
      onParts: stop.closes,
      stop: stop.signal,
    };
    const start = () => startAndWelcome(order, startedMs);
    const facts = await untilDatabaseAnswers(start, { clock: systemClock, progress, stop: stop.signal });
    server = facts.server;
    tell(banner(facts), readyFact(facts));
  } catch (fault) {
    if (stop.signal.aborted) {
      tell("Stopped before it was ready.\n", { event: "stopped" });
      return stop.signal.reason instanceof Error ? 1 : 0;
    }
    const { message } = dataDirectoryFault(fault, config.dataDir) as Error;
    refuse(`Tandem could not start: ${message}`, { kind: "refused", message });
    return 1;
  }
  server.markReady();
  const reason = await stop.requested;
  const { lameDuckMs } = stopTimes(config.settings);
  if (!(reason instanceof Error) && lameDuckMs > 0) {
    const seconds = lameDuckMs / 1_000;
    tell(`No longer ready, serving for ${seconds} s more (press Ctrl-C again to stop at once).\n`, {
      event: "leaving",
      seconds,
    });
    await server.leave();
  }
  tell("Stopping: letting running requests finish (press Ctrl-C again to stop at once).\n", { event: "stopping" });
  // The log already has every failure to close.
  const isClosed = await server.close().then(
    () => true,
    () => false,
  );
  tell(isClosed ? "Stopped.\n" : "Stopped, but not in order: see the log.\n", { event: "stopped" });
  const code = isClosed && !(reason instanceof Error) ? 0 : 1;
  endSoon(code);
  return code;
}

/** Output that is not read, or a part that was not closed, would keep the process alive. */
function endSoon(code: number): void {
  setTimeout(() => process.exit(code), LEFT_MS).unref();
}

async function startAndWelcome(order: ServerOrder, startedMs: number): Promise<Welcome> {
  const server = await startServer(order);
  try {
    return await welcome(server, order, startedMs);
  } catch (fault) {
    await server.close().catch(() => undefined);
    throw fault;
  }
}

/** Makes missing credentials and writes demo.env for clients. */
async function welcome(server: RunningServer, { config, version }: ServerOrder, startedMs: number): Promise<Welcome> {
  const now = new Date();
  const kept = config.sandbox ? readDemoEnv(config.dataDir).get("TANDEM_OPERATOR_TOKEN") : undefined;
  const given = config.settings.TANDEM_OPERATOR_TOKEN;
  const demo = config.sandbox ? await demoAccount(server.store, config.dataDir, now) : undefined;
  // A real carrier does not know invented numbers.
  if (demo && !server.real.includes("carriers")) await stockInventory(server.store.inventory, now);
  const ticket = demo && (await newTicket(server.store, demo, now));
  // Comes last, because a token that is made is shown by this start alone.
  const operator = await ensureOperatorToken(server.store, { given, kept, now });
  if (demo) {
    writeDemoEnv(config.dataDir, {
      TANDEM_URL: server.url,
      TANDEM_ACCOUNT_SID: demo.sid,
      ...(demo.token === undefined ? {} : { TANDEM_TOKEN: demo.token }),
      ...(demo.number === undefined ? {} : { TANDEM_NUMBER: demo.number }),
      ...(operator === undefined ? {} : { TANDEM_OPERATOR_TOKEN: operator.text }),
      TANDEM_PORT: String(server.port),
      ...Object.fromEntries(Object.entries(server.ports).map(([name, port]) => [name, String(port)])),
    });
  }
  const signInUrl = ticket && `${server.publicUrl}/sign-in#ticket=${ticket}`;
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  return { server, demo, signInUrl, operator, version, seconds, dataDir: config.settings.TANDEM_DATA_DIR };
}
