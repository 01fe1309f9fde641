import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  type AccountEvent,
  createClient,
  createOperatorClient,
  type LiveEntry,
  type StreamOptions,
  type StreamState,
} from "./index.ts";

type Reply = (response: ServerResponse, request: IncomingMessage) => void;

let server: Server;
let baseUrl: string;
/** What each connection to the stream gets, in order; the last one for all further connections. */
let replies: Reply[];
let lastIds: (string | null)[];
let logEnd: readonly { readonly id: string }[];

beforeEach(async () => {
  lastIds = [];
  logEnd = [{ id: "5-5" }];
  server = createServer((request, response) => {
    if (!request.url?.includes("/stream")) {
      response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify({ items: logEnd }));
      return;
    }
    lastIds.push(new URL(request.url, baseUrl).searchParams.get("LastEventId"));
    const reply = replies.length > 1 ? replies.shift() : replies[0];
    reply?.(response, request);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function eventOf(number: number): AccountEvent {
  const createdOn = "2026-01-01T00:00:00.000Z";
  const event = { id: `${number}-1`, type: "OptOutChanged", resourceSid: "EV1", createdOn, payload: { Number: "+1" } };
  return event as AccountEvent;
}

function textOf(number: number): string {
  return `id: ${number}-1\nevent: OptOutChanged\ndata: ${JSON.stringify(eventOf(number))}\n\n`;
}

const open = (response: ServerResponse) => {
  response.writeHead(200, { "Content-Type": "text/event-stream; charset=utf-8" }).write(": hello\n\n");
};
const tell =
  (numbers: readonly number[], then: "end" | "cut" | "stay" = "stay"): Reply =>
  (response) => {
    open(response);
    response.write(numbers.map(textOf).join(""), () => {
      if (then === "end") response.end();
      if (then === "cut") response.destroy();
    });
  };
const refuse =
  (status: number, headers: Record<string, string> = {}): Reply =>
  (response) =>
    response.writeHead(status, { "Content-Type": "application/json", ...headers }).end('{"title":"No"}');

function stream(options: StreamOptions = {}, timeoutMs = 10_000) {
  return createClient({ baseUrl, accountSid: "AC1", token: "t", timeoutMs }).events.stream(options);
}

async function take(count: number, options: StreamOptions = {}, timeoutMs?: number): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const event of stream(options, timeoutMs)) {
    ids.push(event.id);
    if (ids.length === count) break;
  }
  return ids;
}

test("begins after the last event there is, so that nothing is missed before the first one comes", async () => {
  replies = [tell([], "end"), tell([6])];
  expect(await take(1)).toEqual(["6-1"]);
  expect(lastIds).toEqual(["5-5", "5-5"]);
});

test("begins before everything where there is nothing yet", async () => {
  logEnd = [];
  replies = [tell([1])];
  await take(1);
  expect(lastIds).toEqual(["0-0"]);
});

test("goes on after the last event it yielded, whether the server ends or the connection breaks", async () => {
  const states: StreamState[] = [];
  replies = [tell([1, 2], "end"), tell([3], "cut"), refuse(503), refuse(409), tell([4])];
  expect(await take(4, { lastEventId: "0-9", onState: (state) => states.push(state) })).toEqual([
    "1-1",
    "2-1",
    "3-1",
    "4-1",
  ]);
  expect(lastIds).toEqual(["0-9", "2-1", "3-1", "3-1", "3-1"]);
  expect(states.map(({ kind }) => kind)).toEqual(["open", "lost", "open", "lost", "lost", "lost", "open"]);
  const pauses = states.flatMap((state) => (state.kind === "lost" ? [state.retryMs] : []));
  pauses.forEach((ms, at) => {
    expect(ms).toBeGreaterThanOrEqual(125 * 2 ** at);
    expect(ms).toBeLessThanOrEqual(250 * 2 ** at);
  });
});

test("a pause that the server asks for is made", async () => {
  const states: StreamState[] = [];
  replies = [tell([1], "end"), refuse(429, { "Retry-After": "1" }), tell([2])];
  await take(2, { onState: (state) => states.push(state) });
  expect(states).toContainEqual({ kind: "lost", reason: "No", retryMs: 1000 });
});

test("a connection on which nothing comes any more is given up", async () => {
  replies = [tell([1]), tell([2])];
  expect(await take(2, { silenceMsMax: 1_000 })).toEqual(["1-1", "2-1"]);
});

test("a server that takes the connection and says nothing is tried again", async () => {
  replies = [tell([1], "end"), () => undefined, tell([2])];
  expect(await take(2, {}, 2_000)).toEqual(["1-1", "2-1"]);
});

test.each([
  ["wrong credentials", refuse(401), { status: 401 }],
  ["a page of something else", (response: ServerResponse) => void response.end("<h1>Hi</h1>"), { fault: "garbled" }],
  [
    "something other than events",
    (response: ServerResponse) => {
      open(response);
      response.write("data: x\n\n");
    },
    { fault: "garbled" },
  ],
])("%s are not tried again", async (_, reply, wanted) => {
  replies = [tell([1], "end"), reply];
  await expect(take(2)).rejects.toMatchObject(wanted);
  expect(lastIds).toHaveLength(2);
});

test("a server that cannot be reached at the start is reported at once", async () => {
  const unreachable = createClient({ baseUrl: "http://127.0.0.1:1", accountSid: "AC1", token: "t" });
  await expect(unreachable.events.stream().next()).rejects.toMatchObject({ fault: "unreachable" });
});

test("the signal ends it quietly: before, while it waits for an event, and in a pause", async () => {
  expect(await take(1, { signal: AbortSignal.abort() })).toEqual([]);
  const waiting = new AbortController();
  replies = [tell([])];
  const quiet = (state: StreamState) => state.kind === "open" && waiting.abort();
  expect(await take(1, { signal: waiting.signal, onState: quiet })).toEqual([]);
  const pausing = new AbortController();
  replies = [tell([], "end")];
  const lost = (state: StreamState) => state.kind === "lost" && pausing.abort();
  expect(await take(1, { signal: pausing.signal, onState: lost })).toEqual([]);
});

test("who stops listening hangs up", async () => {
  const closed = new Promise<void>((resolve) => {
    replies = [
      (response, request) => {
        request.socket.once("close", () => resolve());
        tell([1])(response, request);
      },
    ];
  });
  await take(1);
  await closed;
});

test("shows requests and PDUs where they are included, without losing its place", async () => {
  const entries: LiveEntry[] = [];
  const urls: (string | undefined)[] = [];
  const live: Reply = (response, request) => {
    urls.push(request.url);
    open(response);
    response.write(`event: ApiRequest\ndata: {"status":200,"skipped":0}\n\n${textOf(6)}`);
    response.write(`event: SmppPdu\ndata: {"hex":"00"}\n\n${textOf(7)}`);
  };
  replies = [live];
  const ids = await take(2, { include: ["requests", "protocol"], onLive: (entry) => entries.push(entry) });
  expect(ids).toEqual(["6-1", "7-1"]);
  expect(entries).toMatchObject([
    { type: "ApiRequest", data: { status: 200 } },
    { type: "SmppPdu", data: { hex: "00" } },
  ]);
  expect(urls[0]).toContain("Include=requests%2Cprotocol");
});

test("operators follow all accounts, and go on where they were cut", async () => {
  replies = [tell([6], "cut"), tell([7])];
  const { events } = createOperatorClient({ baseUrl, token: "t" });
  const ids: string[] = [];
  for await (const { id } of events.stream()) {
    if (ids.push(id) === 2) break;
  }
  expect(ids).toEqual(["6-1", "7-1"]);
  expect(lastIds).toEqual(["5-5", "6-1"]);
});
