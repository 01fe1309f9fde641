// baresip as a telephone: speaks a tone of its own, keeps what it hears, and is driven over its control port.

import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { purityOf } from "../fakes/rtp-phone.ts";

export interface BaresipOrder {
  readonly program: string;
  /** The user part of its address. */
  readonly user: string;
  readonly address: string;
  readonly port: number;
  readonly controlPort: number;
  readonly codec: "PCMU" | "PCMA";
  /** The tone that it speaks. */
  readonly hz: number;
  /** More parameters of its account, such as `mediaenc=srtp-mand`. */
  readonly account?: string;
}

/** Modules of Debian's package; the menu answers calls and knows the commands. */
const MODULES = ["g711.so", "aufile.so", "aubridge.so", "sndfile.so", "srtp.so"];

export class Baresip {
  readonly #child: ChildProcess;
  readonly #folder: string;
  readonly #control: Socket;
  #output = "";
  /** What it told over its control port. */
  #told = "";

  private constructor(child: ChildProcess, folder: string, control: Socket) {
    this.#child = child;
    this.#folder = folder;
    this.#control = control;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (chunk: Buffer) => {
        this.#output = (this.#output + chunk.toString()).slice(-8000);
      });
    }
    control.on("error", () => {});
    control.on("data", (chunk: Buffer) => {
      this.#told = (this.#told + chunk.toString()).slice(-64_000);
    });
  }

  static async start(order: BaresipOrder): Promise<Baresip> {
    const folder = mkdtempSync(join(tmpdir(), "tandem-baresip-"));
    const isSix = order.address.includes(":");
    mkdirSync(join(folder, "heard"));
    writeFileSync(join(folder, "tone.wav"), toneFile(order.hz));
    writeFileSync(join(folder, "config"), configOf(order, folder));
    const host = isSix ? `[${order.address}]` : order.address;
    const parameters = `regint=0;answermode=auto;audio_codecs=${order.codec}/8000/1;dtmfmode=rtpevent`;
    const more = order.account ? `;${order.account}` : "";
    writeFileSync(join(folder, "accounts"), `<sip:${order.user}@${host}:${order.port}>;${parameters}${more}\n`);
    const child = spawn(order.program, ["-f", folder, isSix ? "-6" : "-4"], { stdio: ["pipe", "pipe", "pipe"] });
    return new Baresip(child, folder, await controlOf(order.controlPort, child));
  }

  dial(uri: string): void {
    this.#command("dial", uri);
  }

  hangUp(): void {
    this.#command("hangup");
  }

  /** Presses a key. */
  press(key: string): void {
    this.#command("sndcode", key);
  }

  /** The keys that it heard, in order. */
  get heardKeys(): string {
    return [...this.#told.matchAll(/"CALL_DTMF_START"[^}]*"param":"(.)"/g)].map(([, key]) => key).join("");
  }

  report(): string {
    return this.#output;
  }

  /** How long what it heard in its last call is. */
  get heardMs(): number {
    return Math.max(0, this.#heard().length - 44) / 16;
  }

  /** How much of what it heard in its last call is this frequency, after the first `skipMs`. */
  purity(hz: number, skipMs = 0): number {
    const octets = this.#heard();
    const samples: number[] = [];
    for (let at = 44 + skipMs * 16; at + 1 < octets.length; at += 2) samples.push(octets.readInt16LE(at));
    return purityOf(samples, hz);
  }

  /** The last file that it wrote. */
  #heard(): Buffer {
    const names = readdirSync(join(this.#folder, "heard")).filter((each) => each.endsWith("-dec.wav"));
    const file = names.sort().at(-1);
    return file === undefined ? Buffer.alloc(0) : readFileSync(join(this.#folder, "heard", file));
  }

  async stop(): Promise<void> {
    const exited = new Promise((resolve) => this.#child.once("exit", resolve));
    if (this.#child.exitCode === null && this.#child.kill("SIGKILL")) await exited;
    this.#control.destroy();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Netstrings of JSON. */
  #command(command: string, params?: string): void {
    const text = JSON.stringify({ command, ...(params !== undefined && { params }), token: "t" });
    this.#control.write(`${text.length}:${text},`);
  }
}

async function controlOf(port: number, child: ChildProcess): Promise<Socket> {
  for (;;) {
    const socket = connect(port, "127.0.0.1");
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once("connect", () => resolve(true));
      socket.once("error", () => resolve(false));
    });
    if (isOpen) return socket;
    if (child.exitCode !== null) throw new Error(`baresip ended with ${child.exitCode}`);
    await delay(50);
  }
}

function configOf({ address, port, controlPort }: BaresipOrder, folder: string): string {
  const host = address.includes(":") ? `[${address}]` : address;
  return [
    "poll_method epoll",
    `sip_listen ${host}:${port}`,
    `audio_source aufile,${folder}/tone.wav`,
    "audio_player aubridge,sink",
    "audio_channels 1",
    "ausrc_srate 8000",
    "auplay_srate 8000",
    `net_interface ${address}`,
    "module_path /usr/lib/baresip/modules",
    ...MODULES.map((module) => `module ${module}`),
    "module_tmp account.so",
    "module_app menu.so",
    "module_app ctrl_tcp.so",
    `ctrl_tcp_listen 127.0.0.1:${controlPort}`,
    `snd_path ${folder}/heard`,
    "",
  ].join("\n");
}

/** Thirty seconds of 8 kHz, 16 bit, mono. */
function toneFile(hz: number): Uint8Array {
  const samples = 8000 * 30;
  const octets = Buffer.alloc(44 + samples * 2);
  octets.write("RIFF", 0);
  octets.writeUInt32LE(36 + samples * 2, 4);
  octets.write("WAVEfmt ", 8);
  octets.writeUInt32LE(16, 16);
  octets.writeUInt16LE(1, 20);
  octets.writeUInt16LE(1, 22);
  octets.writeUInt32LE(8000, 24);
  octets.writeUInt32LE(16_000, 28);
  octets.writeUInt16LE(2, 32);
  octets.writeUInt16LE(16, 34);
  octets.write("data", 36);
  octets.writeUInt32LE(samples * 2, 40);
  for (let at = 0; at < samples; at++) {
    octets.writeInt16LE(Math.round(8000 * Math.sin((2 * Math.PI * hz * at) / 8000)), 44 + at * 2);
  }
  return octets;
}
