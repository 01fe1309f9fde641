// Reads a stream of server-sent events by plain fetch as they arrive.

import { expect } from "vitest";

export interface StreamedEvent {
  readonly id: string;
  readonly type: string;
  readonly data: {
    readonly id: string;
    readonly type: string;
    readonly resourceSid: string;
    readonly createdOn: string;
    readonly payload: Readonly<Record<string, unknown>>;
  };
}

export interface OpenStream {
  readonly response: Response;
  /** The next event; undefined when the server has ended the stream. */
  next(): Promise<StreamedEvent | undefined>;
  /** Closes the connection without notice. */
  leave(): Promise<void>;
}

type Call = (path: string, init?: RequestInit) => Promise<Response>;

/** Opens a stream and waits until the server confirms it: every later event is in it. */
export async function openStream(
  call: Call,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<OpenStream> {
  const leaving = new AbortController();
  const response = await call(path, { headers, signal: leaving.signal });
  expect(response.status).toBe(200);
  const blocks = readBlocks(response);
  expect((await blocks.next()).value).toMatch(/^: /);
  return {
    response,
    async next() {
      for (;;) {
        const { value, done } = await blocks.next();
        if (done) return undefined;
        if (!value.startsWith(":")) return parse(value);
      }
    },
    async leave() {
      leaving.abort();
    },
  };
}

async function* readBlocks(response: Response): AsyncGenerator<string, void, void> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    const blocks = text.split("\n\n");
    text = blocks.pop() as string;
    yield* blocks;
  }
  expect(text, "the stream ended within an event").toBe("");
}

function parse(block: string): StreamedEvent {
  const match = /^id: (\d+-\d+)\nevent: (\w+)\ndata: (\{.*\})$/.exec(block);
  if (!match) throw new Error(`this is no event: ${block}`);
  return { id: match[1] as string, type: match[2] as string, data: JSON.parse(match[3] as string) };
}
