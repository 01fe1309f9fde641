// HAProxy with the sample configuration of deploy, before servers of the test, and with a socket that tells of them.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";

const SAMPLE = fileURLToPath(new URL("../../deploy/haproxy/haproxy.cfg", import.meta.url));

/** By the names of HAProxy's columns. */
export type Figures = Readonly<Record<string, string>>;

export interface Haproxy {
  readonly url: string;
  /** Its servers, by their names. */
  servers(): Promise<ReadonlyMap<string, Figures>>;
  report(): string;
  stop(): Promise<void>;
}

interface HaproxyOrder {
  readonly program: string;
  readonly port: number;
  /** Name and address of each. */
  readonly servers: Readonly<Record<string, string>>;
}

/** Starts it and waits until it takes connections. It tries nothing twice, so that it hides no fault of a server. */
export async function startHaproxy({ program, port, servers }: HaproxyOrder): Promise<Haproxy> {
  const directory = mkdtempSync(join(tmpdir(), "tandem-haproxy-"));
  const socket = join(directory, "stats");
  writeFileSync(join(directory, "haproxy.cfg"), configOf(socket, port, servers));
  const child = spawn(program, ["-db", "-f", join(directory, "haproxy.cfg")], { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  const exited = once(child, "close");
  const ask = async (command: string) => {
    const connection = connect(socket);
    connection.end(`${command}\n`);
    return text(connection);
  };
  const ended = exited.then(([code]) => expect.fail(`haproxy ended with ${code}: ${output}`));
  await Promise.race([expect.poll(() => ask("show info").catch(() => "")).toContain("Version:"), ended]);
  return {
    url: `http://127.0.0.1:${port}`,
    async servers() {
      const [head = "", ...lines] = (await ask("show stat")).trim().split("\n");
      const names = head.replace(/^# /, "").split(",");
      const rows = lines.map((line) => {
        const values = line.split(",");
        return Object.fromEntries(names.map((name, at) => [name, values[at] ?? ""]));
      });
      return new Map(rows.flatMap((row) => (row.svname && row.svname in servers ? [[row.svname, row] as const] : [])));
    },
    report: () => output.slice(-4000),
    async stop() {
      child.kill("SIGTERM");
      await exited;
      rmSync(directory, { recursive: true });
    },
  };
}

function configOf(socket: string, port: number, servers: HaproxyOrder["servers"]): string {
  const changes: readonly (readonly [RegExp, string])[] = [
    [/^global$/m, `global\n  stats socket ${socket}`],
    [/^defaults$/m, "defaults\n  retries 0"],
    [/bind :8080$/m, `bind 127.0.0.1:${port}`],
    // A busy machine may keep a check waiting.
    [/timeout check 5s/, "timeout check 60s"],
    [/inter 2s fastinter 500ms/, "inter 100ms"],
    [
      /( *server \S+ \S+\n)+/,
      Object.entries(servers)
        .map((server) => `  server ${server.join(" ")}\n`)
        .join(""),
    ],
  ];
  let config = readFileSync(SAMPLE, "utf8");
  for (const [place, change] of changes) {
    expect(config, "the sample").toMatch(place);
    config = config.replace(place, change);
  }
  return config;
}
