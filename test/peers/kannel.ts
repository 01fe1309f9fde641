// Kannel's bearerbox and smsbox, bound to an SMSC of ours, and the application that Kannel notifies of messages and
// receipts. Everything is on loopback, in its own folder and on its own ports.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { ownPort } from "../own-port.ts";

interface KannelPrograms {
  readonly bearerbox: string;
  readonly smsbox: string;
}

/** A request of Kannel to the application: the path and the parameters, with the octets that Kannel sent. */
export interface ApplicationCall {
  readonly path: string;
  readonly parameters: ReadonlyMap<string, Buffer>;
}

export class Kannel {
  readonly #folder: string;
  readonly #application: Application;
  readonly #sendPort: number;
  readonly #boxes: ChildProcess[] = [];
  #isClosed = false;

  static async start({ bearerbox, smsbox }: KannelPrograms, smscPort: number): Promise<Kannel> {
    const application = await Application.listen();
    const folder = await mkdtemp(join(tmpdir(), "tandem-kannel-"));
    const [adminPort, boxPort, sendPort] = [await ownPort(), await ownPort(), await ownPort()];
    const file = join(folder, "kannel.conf");
    await writeFile(file, configuration({ adminPort, boxPort, sendPort, smscPort, applicationPort: application.port }));
    const kannel = new Kannel(folder, application, sendPort);
    try {
      await kannel.#startBox(bearerbox, file, "Start-up done");
      await kannel.#startBox(smsbox, file, "Connected to bearerbox");
      return kannel;
    } catch (fault) {
      await kannel.close();
      throw fault;
    }
  }

  private constructor(folder: string, application: Application, sendPort: number) {
    this.#folder = folder;
    this.#application = application;
    this.#sendPort = sendPort;
  }

  /** Sends a message by Kannel's own HTTP interface. A parameter may be octets. */
  async send(parameters: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
    const all = { username: "tester", password: "foobar", ...parameters };
    const query = Object.entries(all).map(([name, value]) => `${name}=${percentEncode(Buffer.from(value))}`);
    const answer = await fetch(`http://127.0.0.1:${this.#sendPort}/cgi-bin/sendsms?${query.join("&")}`);
    const text = await answer.text();
    if (answer.status !== 202) throw new Error(`Kannel answered ${answer.status}: ${text}`);
  }

  /** The URL for `dlr-url`; `%d` is Kannel's code for the receipt's state, `%A` the receipt's text. */
  receiptUrl(name: string): string {
    return `http://127.0.0.1:${this.#application.port}/receipt/${name}?state=%d&reply=%A`;
  }

  /** The next request to this path, past or future. */
  async called(path: string): Promise<ApplicationCall> {
    return await this.#application.called(path);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const box of this.#boxes.toReversed()) {
      if (box.exitCode !== null || box.signalCode !== null) continue;
      const exit = once(box, "exit");
      box.kill("SIGKILL");
      await exit;
    }
    await this.#application.close();
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #startBox(program: string, file: string, readyLine: string): Promise<void> {
    const child = spawn(program, ["-v", "1", file], { cwd: this.#folder, stdio: ["ignore", "ignore", "pipe"] });
    this.#boxes.push(child);
    const lines: string[] = [];
    const fault = (what: string) => new Error(`${program} ${what}:\n${lines.join("\n")}`);
    return new Promise((resolve, reject) => {
      createInterface({ input: child.stderr }).on("line", (line) => {
        lines.push(line);
        if (lines.length > LINES_MAX) lines.shift();
        if (line.includes(readyLine)) resolve();
      });
      child.once("close", (code, signal) => {
        reject(fault("did not start"));
        if (!this.#isClosed) this.#application.fail(fault(`ended by itself (${code ?? signal})`));
      });
    });
  }
}

/** How many of its last lines are kept, for the message of a fault. */
const LINES_MAX = 20;

/** HTTP server for Kannel's requests. */
class Application {
  readonly #server: Server;
  readonly #calls: ApplicationCall[] = [];
  readonly #waiters = new Set<() => void>();
  #fault: Error | undefined;

  static async listen(): Promise<Application> {
    const application = new Application();
    application.#server.listen(0, "127.0.0.1");
    await once(application.#server, "listening");
    return application;
  }

  private constructor() {
    this.#server = createServer((request, response) => {
      this.#calls.push(readCall(request.url ?? ""));
      response.end();
      for (const waiter of [...this.#waiters]) waiter();
    });
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async called(path: string): Promise<ApplicationCall> {
    for (;;) {
      const index = this.#calls.findIndex((call) => call.path === path);
      const [call] = index < 0 ? [] : this.#calls.splice(index, 1);
      if (call) return call;
      if (this.#fault) throw this.#fault;
      await new Promise<void>((resolve) => {
        const waiter = () => {
          this.#waiters.delete(waiter);
          resolve();
        };
        this.#waiters.add(waiter);
      });
    }
  }

  /** No further request will arrive. */
  fail(fault: Error): void {
    this.#fault = fault;
    for (const waiter of [...this.#waiters]) waiter();
  }

  async close(): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }
}

function readCall(url: string): ApplicationCall {
  const [path = "", query = ""] = url.split("?");
  const parameters = new Map<string, Buffer>();
  for (const pair of query.split("&")) {
    const [name = "", value = ""] = pair.split("=");
    parameters.set(name, percentDecode(value));
  }
  return { path, parameters };
}

function percentDecode(text: string): Buffer {
  const plain = text.replaceAll("+", " ");
  return Buffer.from(
    plain.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    "latin1",
  );
}

function percentEncode(octets: Buffer): string {
  return octets.toString("hex").replaceAll(/../g, "%$&");
}

interface Ports {
  readonly adminPort: number;
  readonly boxPort: number;
  readonly sendPort: number;
  readonly smscPort: number;
  readonly applicationPort: number;
}

function configuration({ adminPort, boxPort, sendPort, smscPort, applicationPort }: Ports): string {
  return `
group = core
admin-port = ${adminPort}
admin-interface = 127.0.0.1
admin-password = bar
smsbox-port = ${boxPort}
smsbox-interface = 127.0.0.1
box-allow-ip = "127.0.0.1"
sms-resend-freq = 1

group = smsc
smsc = smpp
smsc-id = ours
host = 127.0.0.1
port = ${smscPort}
transceiver-mode = true
smsc-username = "kannel"
smsc-password = "secret"
system-type = ""
reconnect-delay = 1

group = smsbox
bearerbox-host = 127.0.0.1
sendsms-port = ${sendPort}
sendsms-interface = 127.0.0.1

group = sendsms-user
username = tester
password = foobar
max-messages = 10
concatenation = true

group = sms-service
keyword = default
catch-all = true
max-messages = 0
get-url = "http://127.0.0.1:${applicationPort}/message?from=%p&to=%P&octets=%b&coding=%c&charset=%C&class=%m"
`;
}
