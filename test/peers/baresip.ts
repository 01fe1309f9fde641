// baresip as a telephone: plays a tone, records what it receives, answers every call, and is controlled over its
// control port.

import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { connect, type NetConnectOpts, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text as textOf } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import type { Certificate } from "../fakes/certificate.ts";
import { ownPort } from "../own-port.ts";
import type { Nat } from "./nat.ts";
import { purityOfFile, toneFile } from "./tone-file.ts";

export interface BaresipOrder {
  readonly program: string;
  /** The user parts of its addresses; it calls as the first. */
  readonly users: readonly string[];
  readonly address: string;
  /** For UDP and TCP; TLS is on the next one: `ownPort(2)` gives both. */
  readonly port: number;
  readonly codec: "PCMU" | "PCMA";
  /** The tone that it plays. */
  readonly hz: number;
  /** Its own certificate, and the only one that it trusts. */
  readonly certificate: Certificate;
  /** Additional account parameters, such as `mediaenc=srtp-mand`. */
  readonly account?: string;
  /** Where it registers: its URI without the user, such as `127.0.0.2:5060;transport=tcp`, and the password. */
  readonly registrar?: { readonly place: string; readonly password: string };
  /** The NAT that it is behind. */
  readonly nat?: Nat | undefined;
}

/** Modules of Debian's package; the menu module answers calls and has the commands. */
const MODULES = ["g711.so", "aufile.so", "aubridge.so", "sndfile.so", "srtp.so"];
/** Above the ports that the system assigns; its default range overlaps with that of `ownPort`. */
const RTP_PORTS = "63800-65500";

export class Baresip {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #folder: string;
  readonly #control: Socket;
  #output = "";
  /** What it sent over its control port. */
  #told = "";

  private constructor(child: ChildProcessWithoutNullStreams, folder: string, control: Socket) {
    this.#child = child;
    this.#folder = folder;
    this.#control = control;
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        // Without the duration of a call, which it prints ten times a second.
        this.#output = (this.#output + chunk.toString().replace(/\[[\d:]+\] audio=\S+ \(bit\/s\)\s*/g, "")).slice(
          -8000,
        );
      });
    }
    control.on("error", () => {});
    control.on("data", (chunk: Buffer) => {
      this.#told += chunk.toString();
    });
  }

  static async start(order: BaresipOrder): Promise<Baresip> {
    const folder = mkdtempSync(join(tmpdir(), "tandem-baresip-"));
    const isSix = order.address.includes(":");
    const { cert, key } = order.certificate;
    mkdirSync(join(folder, "heard"));
    writeFileSync(join(folder, "tone.wav"), toneFile(order.hz));
    writeFileSync(join(folder, "both.pem"), key + cert);
    writeFileSync(join(folder, "ca.pem"), cert);
    const { nat } = order;
    const controlPort = nat?.controlPort ?? (await ownPort());
    writeFileSync(join(folder, "config"), configOf(order, controlPort, folder));
    const host = isSix ? `[${order.address}]` : order.address;
    const { registrar } = order;
    const registering = registrar ? `regint=60;auth_pass=${registrar.password}` : "regint=0";
    const parameters = `${registering};answermode=auto;audio_codecs=${order.codec}/8000/1;dtmfmode=rtpevent`;
    const more = order.account ? `;${order.account}` : "";
    const place = registrar?.place ?? `${host}:${order.port}`;
    const accounts = order.users.map((user) => `<sip:${user}@${place}>;${parameters}${more}\n`);
    writeFileSync(join(folder, "accounts"), accounts.join(""));
    const args = ["-f", folder, isSix ? "-6" : "-4"];
    const [program, all] = nat?.command(order.program, args) ?? [order.program, args];
    const child = spawn(program, all);
    const control = nat ? { path: nat.controlPath } : { port: controlPort, host: "127.0.0.1" };
    return new Baresip(child, folder, await controlOf(control, child));
  }

  dial(uri: string): void {
    this.#command("dial", uri);
  }

  /** Refuses a call that rings. */
  hangUp(): void {
    this.#command("hangup");
  }

  hold(): void {
    this.#command("hold");
  }

  resume(): void {
    this.#command("resume");
  }

  /** Whether it answers calls by itself, as it does at first, or lets them ring. */
  answersCalls(does: boolean): void {
    this.#command("answermode", does ? "auto" : "manual");
  }

  /** Presses a key. */
  press(key: string): void {
    this.#command("sndcode", key);
  }

  /** The keys that it received, in order. */
  get heardKeys(): string {
    return [...this.#told.matchAll(/"CALL_DTMF_START"[^}]*"param":"(.)"/g)].map(([, key]) => key).join("");
  }

  /** Whether it has no call. */
  get isFree(): boolean {
    const [last] = [...this.#told.matchAll(/"(CALL_(?:INCOMING|OUTGOING|RINGING|ESTABLISHED|CLOSED))"/g)].toReversed();
    return last === undefined || last[1] === "CALL_CLOSED";
  }

  /** Whether a call has ended, or failed. */
  get hasEnded(): boolean {
    return this.#told.includes('"CALL_CLOSED"');
  }

  /** From here on only later calls count. */
  forget(): void {
    for (const name of readdirSync(join(this.#folder, "heard"))) rmSync(join(this.#folder, "heard", name));
    this.#told = "";
  }

  report(): string {
    return this.#output;
  }

  /** Duration of the audio it received in its last call. */
  get heardMs(): number {
    const file = this.#heard();
    return file === undefined ? 0 : Math.max(0, statSync(file).size - 44) / 16;
  }

  /** The share of this frequency in the last half second that it received. */
  purity(hz: number): number {
    const file = this.#heard();
    return file === undefined ? 0 : purityOfFile(file, hz);
  }

  /** The last file that it wrote. */
  #heard(): string | undefined {
    const names = readdirSync(join(this.#folder, "heard")).filter((each) => each.endsWith("-dec.wav"));
    const name = names.sort().at(-1);
    return name === undefined ? undefined : join(this.#folder, "heard", name);
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

async function controlOf(place: NetConnectOpts, child: ChildProcessWithoutNullStreams): Promise<Socket> {
  for (;;) {
    const socket = connect(place);
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once("connect", () => resolve(true));
      socket.once("error", () => resolve(false));
    });
    if (isOpen) return socket;
    if (child.exitCode !== null) {
      throw new Error(
        `baresip ended with ${child.exitCode}:\n${await textOf(child.stdout)}${await textOf(child.stderr)}`,
      );
    }
    await delay(50);
  }
}

function configOf({ address, port }: BaresipOrder, controlPort: number, folder: string): string {
  const host = address.includes(":") ? `[${address}]` : address;
  return [
    "poll_method epoll",
    `sip_listen ${host}:${port}`,
    `sip_certificate ${folder}/both.pem`,
    `sip_cafile ${folder}/ca.pem`,
    `audio_source aufile,${folder}/tone.wav`,
    "audio_player aubridge,sink",
    "audio_channels 1",
    "ausrc_srate 8000",
    "auplay_srate 8000",
    // The address in its SDP: it sends audio from the address that the system prefers.
    `net_interface ${address.startsWith("127.") ? "127.0.0.1" : address}`,
    `rtp_ports ${RTP_PORTS}`,
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
