// A web server with valid and invalid media of every kind.

import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface MediaServer {
  urlOf(path: string): string;
  /** How often a path was requested. */
  asked(path: string): number;
  close(): Promise<void>;
}

/** The smallest PNG, followed by some extra octets. */
export const PNG = Buffer.concat([
  Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  ),
]);
export const JPEG = Buffer.concat([
  Buffer.from("ffd8ffe000104a46494600010100000100010000", "hex"),
  Buffer.alloc(2_000, 7),
]);
const HTML = "<!doctype html><html><body>Not a picture</body></html>";

type Answer = (response: ServerResponse, path: string) => void;

const plain =
  (type: string, body: string | Buffer): Answer =>
  (response) =>
    response.writeHead(200, { "content-type": type }).end(body);

const ANSWERS: Readonly<Record<string, Answer>> = {
  "/a.png": plain("image/png", PNG),
  "/b.jpg": plain("image/jpeg; name=b", JPEG),
  "/page.html": plain("text/html", HTML),
  "/lie.png": plain("image/png", HTML),
  "/lie.jpg": plain("image/jpeg", "just text"),
  "/huge.png": (response) => {
    response.writeHead(200, { "content-type": "image/png", "content-length": 100_000_000 }).write(PNG);
  },
  "/endless.png": (response) => {
    response.writeHead(200, { "content-type": "image/png" }).write(PNG);
    const chunk = Buffer.alloc(65_536);
    const more = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on("drain", more);
    more();
  },
  // Together with another one it exceeds the carrier's limit.
  "/large.png": plain("image/png", Buffer.concat([PNG, Buffer.alloc(900_000)])),
  "/slow.png": (response) => {
    response.writeHead(200, { "content-type": "image/png" }).write(PNG.subarray(0, 10));
  },
  "/to-private.png": (response) => response.writeHead(302, { location: "http://10.0.0.1/a.png" }).end(),
  "/to-file.png": (response) => response.writeHead(302, { location: "file:///etc/passwd" }).end(),
  "/loop.png": (response, path) => response.writeHead(302, { location: path }).end(),
  "/moved.png": (response) => response.writeHead(301, { location: "/a.png" }).end(),
  "/empty.png": plain("image/png", ""),
  "/broken.png": (response) => response.destroy(),
  "/error.png": (response) => response.writeHead(503).end(),
};

export async function startMediaServer(): Promise<MediaServer> {
  const counts = new Map<string, number>();
  const server = createServer((request, response) => {
    const path = request.url ?? "/";
    counts.set(path, (counts.get(path) ?? 0) + 1);
    const answer = ANSWERS[path];
    if (answer) answer(response, path);
    else response.writeHead(404).end("nothing here");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    urlOf: (path) => `http://127.0.0.1:${port}${path}`,
    asked: (path) => counts.get(path) ?? 0,
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
