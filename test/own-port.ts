// Ports for servers that come and go on one port: while nothing listens there, nobody else gets it.

import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";

/** Those and as many above, all below what the system gives out by itself: Linux from 32768, others from 49152. */
const FIRST = 10_000;
const COUNT = 10_000;

let tried = process.pid;

/** An address of this machine that no other process has, for what must be at a usual port. */
export const ownHost = hostFrom(64);
/** The same, for servers of TCP that are killed: their port is taken for a minute after that. */
export const killedHosts = [hostFrom(128), hostFrom(192)] as const;

function hostFrom(first: number): string {
  return `127.${first + (process.pid >> 16)}.${(process.pid >> 8) & 0xff}.${process.pid & 0xff}`;
}

/** Free, and this process's until it ends: the first of so many in a row. */
export async function ownPort(count = 1): Promise<number> {
  for (let times = 0; times < COUNT; times++) {
    // Before anything is awaited: whoever asks meanwhile gets others.
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

/** By a UDP port that stands for it: so other processes that ask for one see that it is taken. */
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

/** For TCP and UDP. */
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
