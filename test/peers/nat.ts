// A NAT for one telephone, in a network namespace of its own. Outside it has one address of loopback; inside, the
// telephone has an address that cannot be reached from elsewhere.
//
//   endpoint-independent   one port outside for each port inside, whatever it sends to (RFC 4787 4.1)
//   symmetric              one for each port inside and each destination, which alone may send to it
//
// What does not come from the server is dropped by both: inside, only the server's ports exist.

import { type ChildProcess, spawn } from "node:child_process";
import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ownPort } from "../own-port.ts";
import { requirePeer } from "./peer.ts";

export type NatKind = "endpoint-independent" | "symmetric";

export interface NatOrder {
  readonly kind: NatKind;
  /** Its address outside. */
  readonly address: string;
  readonly server: string;
  /** The ports of the server that the telephone may send to. */
  readonly ports: readonly number[];
}

interface Outgoing {
  readonly from: number;
  readonly port: number;
  readonly octets: string;
}

const INSIDE = fileURLToPath(new URL("./nat-inside.mjs", import.meta.url));
const UNSHARE = requirePeer("unshare", "util-linux");

/** Whether this process may make network namespaces; in CI it must. */
export function mayMakeNamespaces(): boolean {
  if (UNSHARE !== undefined && process.getuid?.() === 0) return true;
  const reason = "network namespaces are made by root alone";
  if (process.env.CI === "true") throw new Error(`${reason}, and CI must not skip them`);
  console.warn(`skipped: ${reason}`);
  return false;
}

export class Nat {
  /** The telephone's address. */
  static readonly inside = "10.9.0.2";
  readonly controlPort: number;
  readonly controlPath: string;
  readonly #order: NatOrder;
  readonly #child: ChildProcess;
  readonly #folder: string;
  readonly #mappings = new Map<string, Promise<Socket>>();
  #isClosed = false;

  static async open(order: NatOrder): Promise<Nat> {
    const controlPort = await ownPort();
    const folder = mkdtempSync(join(tmpdir(), "tandem-nat-"));
    const path = join(folder, "control");
    const argv = [Nat.inside, order.server, order.ports.join(","), path, String(controlPort)];
    const child = spawn(UNSHARE ?? "", ["-n", process.execPath, INSIDE, ...argv], {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    const ended = once(child, "exit").then(([code]) => Promise.reject(new Error(`the NAT ended with ${code}`)));
    await Promise.race([once(child, "message"), ended]);
    ended.catch(() => {});
    return new Nat(order, child, { folder, path, controlPort });
  }

  private constructor(
    order: NatOrder,
    child: ChildProcess,
    { folder, path, controlPort }: { readonly folder: string; readonly path: string; readonly controlPort: number },
  ) {
    this.#order = order;
    this.#child = child;
    this.#folder = folder;
    this.controlPath = path;
    this.controlPort = controlPort;
    child.on("message", (message) => void this.#send(message as Outgoing));
  }

  /** The program as it is run inside. */
  command(program: string, args: readonly string[]): readonly [string, readonly string[]] {
    return ["nsenter", ["-t", String(this.#child.pid), "-n", program, ...args]];
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const exited = once(this.#child, "exit");
    if (this.#child.exitCode === null && this.#child.kill("SIGKILL")) await exited;
    for (const mapping of this.#mappings.values()) (await mapping).close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #send({ from, port, octets }: Outgoing): Promise<void> {
    const { kind, server } = this.#order;
    const key = kind === "symmetric" ? `${from} ${port}` : `${from}`;
    const mapping = this.#mappings.get(key) ?? this.#map(from, port);
    this.#mappings.set(key, mapping);
    const socket = await mapping;
    if (!this.#isClosed) socket.send(Buffer.from(octets, "latin1"), port, server, () => {});
  }

  async #map(inside: number, destination: number): Promise<Socket> {
    const { kind, address, server } = this.#order;
    const socket = createSocket("udp4");
    socket.on("message", (octets, sender) => {
      const mayPass = sender.address === server && (kind !== "symmetric" || sender.port === destination);
      if (this.#isClosed || !mayPass) return;
      this.#child.send({ to: inside, port: sender.port, octets: octets.toString("latin1") }, () => {});
    });
    await once(socket.bind(0, address), "listening");
    return socket;
  }
}
