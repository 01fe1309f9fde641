// SIPp as telephones and carriers: runs a scenario of test/peers/sipp.

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { encodeUlaw } from "../fakes/tone.ts";

export interface SippOrder {
  readonly program: string;
  /** A file of test/peers/sipp, without its extension. */
  readonly scenario: string;
  /** Its address for SIP and audio, 127.0.0.1 by default. */
  readonly address?: string;
  readonly port: number;
  /** The tone that it plays, 440 by default. */
  readonly hz?: number;
  readonly calls?: number;
  /** Only for a caller: the address it calls. */
  readonly remote?: string;
  readonly service?: string;
  /** Values of the scenario's words in brackets. */
  readonly words?: Readonly<Record<string, string>>;
  /** Calls per second. */
  readonly rate?: number;
  /** One socket for all calls, UDP by default. */
  readonly transport?: "u1" | "t1" | undefined;
}

export interface Sipp {
  /** 0 when every call followed the scenario. */
  readonly exited: Promise<number | null>;
  /** Resolves when it listens: a refused connection is not retried, as a datagram usually is. */
  listening(): Promise<void>;
  /** What it received and what went wrong. */
  report(): string;
  stop(): Promise<void>;
}

const SCENARIOS = fileURLToPath(new URL("./sipp/", import.meta.url));
/** The first of a range below the ports that the system assigns and above those of `ownPort`. */
const RTP_PORTS = 30_000;
const RTP_PORTS_COUNT = 2_600;
/** `audio`: the port where it receives audio, which may be that of an `RtpPhone` of the test. */
const USUAL_WORDS = { talk: "500", caller: "+14155550101", audio: "[auto_media_port]" };
let started = 0;

export function startSipp(order: SippOrder): Sipp {
  const directory = mkdtempSync(join(tmpdir(), "tandem-sipp-"));
  const { address = "127.0.0.1" } = order;
  const sound = join(directory, "tone.ulaw");
  writeFileSync(sound, encodeUlaw(order.hz ?? 440, 2));
  const scenario = Object.entries({ ...USUAL_WORDS, sound, ...order.words }).reduce(
    (text, [word, value]) => text.replaceAll(`[${word}]`, value),
    readFileSync(join(SCENARIOS, `${order.scenario}.xml`), "utf8"),
  );
  writeFileSync(join(directory, "scenario.xml"), scenario);
  const rtpPort = RTP_PORTS + ((process.pid * 16 + started++ * 64) % RTP_PORTS_COUNT);
  const child = spawn(
    order.program,
    [
      ...[
        "-sf",
        "scenario.xml",
        "-i",
        address,
        "-p",
        String(order.port),
        "-t",
        order.transport ?? "u1",
        "-nostdin",
        "-trace_err",
      ],
      ...["-mi", address, "-mp", String(rtpPort)],
      ...(order.calls === undefined ? [] : ["-m", String(order.calls)]),
      ...(order.rate === undefined ? [] : ["-r", String(order.rate)]),
      ...(order.service === undefined ? [] : ["-s", order.service]),
      ...(order.remote === undefined ? [] : [order.remote]),
    ],
    { cwd: directory, stdio: ["ignore", "pipe", "pipe"] },
  );
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const exited = new Promise<number | null>((resolve) => child.once("close", (code) => resolve(code)));
  const report = () => `${errorsIn(directory)}\n${output.slice(-4_000)}`;
  return {
    exited,
    async listening() {
      const ended = exited.then((code) => expect.fail(`sipp ended with ${code} before it listened\n${report()}`));
      await Promise.race([until(() => isListening(address, order)), ended]);
    },
    report,
    async stop() {
      await end(child, exited);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

const until = async (isSo: () => boolean) => expect.poll(isSo, { timeout: 120_000 }).toBe(true);

async function end(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
  if (child.exitCode === null) child.kill("SIGKILL");
  await exited;
}

/** Reads the system's tables, because a connection to find out would count in the scenario. */
function isListening(address: string, { port, transport }: SippOrder): boolean {
  const hexOf = (number: number, digits: number) => number.toString(16).toUpperCase().padStart(digits, "0");
  const octets = address.split(".").map((octet) => hexOf(Number(octet), 2));
  const line = `${octets.toReversed().join("")}:${hexOf(port, 4)} 00000000:0000`;
  return transport === "t1"
    ? readFileSync("/proc/net/tcp", "utf8").includes(`${line} 0A`)
    : readFileSync("/proc/net/udp", "utf8").includes(line);
}

function errorsIn(directory: string): string {
  const files = readdirSync(directory).filter((name) => name.endsWith("_errors.log"));
  return files.map((name) => readFileSync(join(directory, name), "utf8").slice(-4_000)).join("\n");
}
