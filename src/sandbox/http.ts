// The pieces of HTTP that the simulated registry and the simulated clearing house share.

import type { IncomingMessage, Server } from "node:http";
import type { AddressInfo } from "node:net";

export function originOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
}

/** Undefined for a larger body, which is still read to its end, so that the client receives the answer. */
export async function readBody(request: IncomingMessage, bytesMax: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= bytesMax) chunks.push(chunk);
  }
  return size <= bytesMax ? Buffer.concat(chunks) : undefined;
}
