// rtpengine in userspace with one thread, and calls set up in it by its ng protocol (bencode over UDP).

import { type ChildProcess, spawn } from "node:child_process";
import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";

const CONTROL_PORT = 22_223;

export interface RtpEngineDaemon {
  readonly process: ChildProcess;
  /** A line for each phone: its port and the port to send to. */
  call(firstPort: number, name: string): Promise<readonly string[]>;
}

/** With a folder every call is recorded there, as captured packets. */
export async function startRtpEngine(core: string, folder?: string): Promise<RtpEngineDaemon> {
  const args = [
    ...["--config-file=none", "--foreground", "--table=-1", "--interface=127.0.0.1", "--num-threads=1"],
    ...[`--listen-ng=127.0.0.1:${CONTROL_PORT}`, "--port-min=26000", "--port-max=31998", "--log-level=2"],
    ...["--delete-delay=0", "--log-stderr"],
    ...(folder === undefined ? [] : [`--recording-dir=${folder}`, "--recording-method=pcap"]),
  ];
  // It opens four sockets a call, and runs at the priority of our relay.
  const command = `ulimit -n $(ulimit -Hn); exec nice -n -10 taskset -c ${core} rtpengine ${args.join(" ")}`;
  const child = spawn("bash", ["-c", command], { stdio: ["ignore", "ignore", "inherit"] });
  const control = createSocket("udp4");
  control.bind(0, "127.0.0.1");
  await once(control, "listening");
  control.unref();
  while (!(await ask(control, { command: "ping" }).catch(() => undefined))) {
    if (child.exitCode !== null) throw new Error(`rtpengine ended with ${child.exitCode}`);
    await delay(100);
  }
  return {
    process: child,
    async call(firstPort, name) {
      const lines = await setUp(control, firstPort, name);
      if (folder !== undefined) await ask(control, { command: "start recording", "call-id": name });
      return lines;
    },
  };
}

async function setUp(control: Socket, firstPort: number, name: string): Promise<readonly string[]> {
  const common = { "call-id": name, "from-tag": "a", ICE: "remove" };
  const offer = await ask(control, { ...common, command: "offer", sdp: sdpOf(firstPort) });
  const answer = await ask(control, { ...common, command: "answer", "to-tag": "b", sdp: sdpOf(firstPort + 1) });
  return [`${firstPort} ${audioPort(answer)}`, `${firstPort + 1} ${audioPort(offer)}`];
}

function sdpOf(port: number): string {
  const lines = ["v=0", "o=- 1 1 IN IP4 127.0.0.1", "s=-", "c=IN IP4 127.0.0.1", "t=0 0", `m=audio ${port} RTP/AVP 0`];
  return `${lines.join("\r\n")}\r\n`;
}

function audioPort(answer: string): string {
  const port = /m=audio (\d+)/.exec(answer)?.[1];
  if (port === undefined) throw new Error(`rtpengine answered ${answer}`);
  return port;
}

let asked = 0;

async function ask(control: Socket, dictionary: Readonly<Record<string, string>>): Promise<string> {
  const cookie = `${++asked}`;
  const body = Object.entries(dictionary).map(([key, value]) => `${textOf(key)}${textOf(value)}`);
  const answered = new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => {
      control.off("message", hear);
      reject(new Error("rtpengine did not answer"));
    }, 1000);
    const hear = (octets: Buffer) => {
      const text = octets.toString();
      if (!text.startsWith(`${cookie} `)) return;
      control.off("message", hear);
      clearTimeout(timer);
      resolve(text);
    };
    control.on("message", hear);
  });
  control.send(`${cookie} d${body.join("")}e`, CONTROL_PORT, "127.0.0.1");
  return answered;
}

function textOf(text: string): string {
  return `${Buffer.byteLength(text)}:${text}`;
}
