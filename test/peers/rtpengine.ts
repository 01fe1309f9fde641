// rtpengine in user space, controlled by Kamailio.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { ownPort } from "../own-port.ts";

export interface Rtpengine {
  /** Where it is controlled. */
  readonly port: number;
  report(): string;
  stop(): Promise<void>;
}

const MEDIA_PORTS = 40;

export async function startRtpengine(program: string): Promise<Rtpengine> {
  const [port, first] = [await ownPort(), await ownPort(MEDIA_PORTS)];
  const child = spawn(
    program,
    [
      ...["--config-file=none", "--foreground", "--table=-1", "--interface=127.0.0.1", "--log-stderr"],
      ...[`--listen-ng=127.0.0.1:${port}`, `--port-min=${first}`, `--port-max=${first + MEDIA_PORTS - 1}`],
      ...["--delete-delay=0", "--num-threads=1"],
    ],
    { stdio: ["ignore", "pipe", "pipe"] },
  );
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-8000);
    });
  }
  const exited = once(child, "exit");
  return {
    port,
    report: () => output,
    async stop() {
      if (child.exitCode === null && child.kill("SIGTERM")) await exited;
    },
  };
}
