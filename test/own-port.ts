// Ports for servers that stop and restart on the same port: no other process gets it while nothing listens there.

import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";

/** With as many above for `hold`, all below the ports that the system assigns: Linux from 32768, others from 49152. */
const FIRST = 10_000;
const COUNT = 10_000;

let tried = process.pid;

/** An address of this machine that no other process uses, for servers that need a well-known port. */
export const ownHost = hostFrom(64);
/** The same, for TCP servers that are killed: their port stays in use for a minute. */
export const killedHosts = [hostFrom(128), hostFrom(192)] as const;

function hostFrom(first: number): string {
  return `127.${first + (process.pid >> 16)}.${(process.pid >> 8) & 0xff}.${process.pid & 0xff}`;
}

/** Returns the first of `count` consecutive ports that are free and reserved for this process until it ends. */
export async function ownPort(count = 1): Promise<number> {
  for (let times = 0; times < COUNT; times++) {
    // Before any await, so that concurrent calls get other ports.
    const first = FIRST + (tried % COUNT);
    tried += count;
    if (first + count <= FIRST + COUNT && (await areFree(first, count))) return first;
  }
  throw new Error("no port is free");
}

async function areFree(first: number, count: number): Promise<boolean> {
  for (let port = first; port < first + count; port++) {
    if (!(await hold(port)) || !(await isFree(port))) return false;
  }
  return true;
}

/** Reserves a port by binding a UDP port that stands for it, which other processes that call `ownPort` check. */
async function hold(port: number): Promise<boolean> {
  const socket = createSocket("udp4");
  try {
    await once(socket.bind({ port: port + COUNT, address: "127.0.0.1", exclusive: true }), "listening");
    socket.unref();
    return true;
  } catch {
    socket.close();
    return false;
  }
}

/** Checks TCP and UDP. */
async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const socket = createSocket("udp4");
  try {
    await once(server.listen(port, "127.0.0.1"), "listening");
    await once(socket.bind({ port, address: "127.0.0.1", exclusive: true }), "listening");
    return true;
  } catch {
    return false;
  } finally {
    await Promise.all([server, socket].map((each) => new Promise((resolve) => void each.close(resolve))));
  }
}
