// Linphone's console telephone: plays a tone, records what it receives, answers every call, and is controlled by lines
// on its standard input.

import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { purityOfFile, toneFile } from "./tone-file.ts";

export interface LinphoneOrder {
  readonly program: string;
  /** The port for UDP and TCP. Debian's accepts no calls by TLS: it only uses connections that it opened itself. */
  readonly port: number;
  /** The authority that it trusts in TLS: PEM. */
  readonly ca: string;
  readonly codec: "PCMU" | "PCMA";
  /** The tone that it plays. */
  readonly hz: number;
  /** It sends keys by INFO instead of RFC 4733. */
  readonly usesInfo?: boolean;
}

const PROMPT = "linphonec>";

export class Linphone {
  readonly #child: ChildProcess;
  readonly #folder: string;
  #output = "";
  #calls = 0;
  /** Where the output of this call begins. */
  #begun = 0;
  #onOutput: () => void = () => {};

  private constructor(child: ChildProcess, folder: string) {
    this.#child = child;
    this.#folder = folder;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (chunk: Buffer) => {
        this.#output += chunk.toString();
        this.#onOutput();
      });
    }
  }

  static async start(order: LinphoneOrder): Promise<Linphone> {
    const folder = mkdtempSync(join(tmpdir(), "tandem-linphone-"));
    mkdirSync(join(folder, ".local/share/linphone"), { recursive: true });
    writeFileSync(join(folder, "tone.wav"), toneFile(order.hz));
    writeFileSync(join(folder, "ca.pem"), order.ca);
    writeFileSync(join(folder, "rc"), configOf(order, folder));
    const child = spawn(order.program, ["-c", join(folder, "rc")], {
      env: { PATH: process.env.PATH, HOME: folder },
      cwd: folder,
      stdio: ["pipe", "pipe", "pipe"],
    });
    const phone = new Linphone(child, folder);
    await phone.#until(PROMPT);
    await phone.#command("soundcard use files");
    await phone.#command(`play ${join(folder, "tone.wav")}`);
    await phone.#command("autoanswer enable");
    return phone;
  }

  async dial(uri: string): Promise<void> {
    await this.#command(`call ${uri}`);
  }

  /** Refuses a call that rings. */
  async hangUp(): Promise<void> {
    await this.#command("terminate all");
  }

  async hold(): Promise<void> {
    await this.#command("pause");
  }

  async resume(): Promise<void> {
    await this.#command("resume");
  }

  /** Presses a key. */
  async press(key: string): Promise<void> {
    await this.#command(key);
  }

  /** The keys that it received in this call, in order. */
  get heardKeys(): string {
    return [...this.#output.slice(this.#begun).matchAll(/Receiving tone (.) /g)].map(([, key]) => key).join("");
  }

  /** Whether it answers calls by itself, as it does at first, or lets them ring. */
  async answersCalls(does: boolean): Promise<void> {
    await this.#command(`autoanswer ${does ? "enable" : "disable"}`);
  }

  /** From here on only later calls count. */
  async forget(): Promise<void> {
    this.#calls++;
    this.#begun = this.#output.length;
    await this.#command(`record ${this.#heard()}`);
  }

  report(): string {
    return this.#output;
  }

  /** The share of this frequency in the last half second that it received. */
  purity(hz: number): number {
    return existsSync(this.#heard()) ? purityOfFile(this.#heard(), hz) : 0;
  }

  async stop(): Promise<void> {
    const exited = new Promise((resolve) => this.#child.once("exit", resolve));
    if (this.#child.exitCode === null && this.#child.kill("SIGKILL")) await exited;
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #heard(): string {
    return join(this.#folder, `heard-${this.#calls}.wav`);
  }

  /** Resolves when it prompts for the next command. */
  async #command(line: string): Promise<void> {
    const asked = this.#until(PROMPT, this.#output.length);
    this.#child.stdin?.write(`${line}\n`);
    await asked;
  }

  #until(text: string, from = 0): Promise<void> {
    return new Promise((resolve, reject) => {
      const ended = (code: number | null) => reject(new Error(`linphonec ended with ${code}:\n${this.#output}`));
      this.#child.once("exit", ended);
      this.#onOutput = () => {
        if (this.#output.indexOf(text, from) === -1) return;
        this.#child.off("exit", ended);
        resolve();
      };
      this.#onOutput();
    });
  }
}

function configOf({ port, codec, usesInfo = false }: LinphoneOrder, folder: string): string {
  const isOn = (name: string) => (name === codec ? 1 : 0);
  return `[sip]
sip_port=${port}
sip_tcp_port=${port}
sip_tls_port=-1
contact="Linphone" <sip:linphone@127.0.0.1>
root_ca=${folder}/ca.pem
verify_server_certs=1
verify_server_cn=1
media_encryption=srtp
use_info=${usesInfo ? 1 : 0}
use_rfc2833=${usesInfo ? 0 : 1}
use_ipv6=0
ipv6_migration_done=1
guess_hostname=0
auto_net_state_mon=0
[net]
dns_srv_enabled=0
[rtp]
audio_rtp_port=-1
bind_address=127.0.0.1
nortp_timeout=120
[sound]
echocancellation=0
[audio_codec_0]
mime=PCMU
rate=8000
channels=1
enabled=${isOn("PCMU")}
[audio_codec_1]
mime=PCMA
rate=8000
channels=1
enabled=${isOn("PCMA")}
[video]
enabled=0
capture=0
display=0
[misc]
history_max_size=0
`;
}
