// Requests a page from a server, for tests of what it serves.

import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import type { HttpServer } from "../../src/adapters/http/core/http-server.ts";

/** The path is sent exactly as given, dots included. */
export async function askFor(
  { server }: HttpServer,
  path: string,
  headers: Readonly<Record<string, string>>,
  method = "GET",
) {
  const { port } = server.address() as AddressInfo;
  const asked = request({ host: "127.0.0.1", port, path, method, headers }).end();
  const [answer] = (await once(asked, "response")) as [IncomingMessage];
  const pieces: Buffer[] = [];
  for await (const piece of answer) pieces.push(piece);
  const bytes = Buffer.concat(pieces);
  return {
    statusCode: answer.statusCode,
    headers: answer.headers,
    bytes,
    body: bytes.toString(),
    json: () => JSON.parse(bytes.toString()) as unknown,
  };
}
