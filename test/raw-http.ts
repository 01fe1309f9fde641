// Raw HTTP, for requests that no client would send.

import { connect, type Socket } from "node:net";

export interface RawAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
}

export function openSocket(url: string): Socket {
  const { hostname, port } = new URL(url);
  // The server must end the connection by itself, so our side stays open when it does.
  return connect({ host: hostname, port: Number(port), allowHalfOpen: true });
}

/** Sends the bytes and returns all responses until the server ends the connection. */
export async function exchange(url: string, ...bytes: readonly (string | Uint8Array)[]): Promise<readonly RawAnswer[]> {
  const socket = openSocket(url);
  const answers = readAnswers(socket);
  for (const part of bytes) socket.write(part);
  try {
    return await answers;
  } finally {
    socket.destroy();
  }
}

/** All responses on this connection until the server ends it. */
export function readAnswers(socket: Socket): Promise<readonly RawAnswer[]> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    socket.once("end", () => resolve(parseAnswers(Buffer.concat(chunks))));
    // Writing to a server that has responded and closed fails; its responses count.
    socket.on("error", (error) => {
      const answers = parseAnswers(Buffer.concat(chunks));
      if (answers.length > 0) resolve(answers);
      else reject(error);
    });
  });
}

function parseAnswers(bytes: Buffer): readonly RawAnswer[] {
  const answers: RawAnswer[] = [];
  let rest = bytes;
  while (rest.length > 0) {
    const end = rest.indexOf("\r\n\r\n");
    const [statusLine = "", ...lines] = rest.subarray(0, end).toString("latin1").split("\r\n");
    const status = /^HTTP\/1\.1 (\d{3}) /.exec(statusLine);
    if (end < 0 || !status) throw new Error(`this is no HTTP answer: ${rest.toString("latin1").slice(0, 200)}`);
    const headers = new Map(
      lines.map((line) => {
        const colon = line.indexOf(":");
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
    );
    const length = Number(headers.get("content-length") ?? "0");
    const body = rest.subarray(end + 4, end + 4 + length);
    answers.push({ status: Number(status[1]), headers, text: body.toString("utf8") });
    rest = rest.subarray(end + 4 + length);
  }
  return answers;
}
