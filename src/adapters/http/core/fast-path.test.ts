import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { silent } from "../../../../test/fakes/silent-log.ts";
import { systemClock } from "../../../base/clock.ts";
import { makeIds } from "../../../base/ids.ts";
import { andThen, type MaybePromise } from "../../../base/maybe-promise.ts";
import { ok } from "../../../base/result.ts";
import { Unavailable } from "../../../base/unavailable.ts";
import { endingOf } from "./end-connection.ts";
import { openFastPath } from "./fast-path.ts";
import { LiveTap } from "./live-tap.ts";
import { accountOperation, type Operation, tagged } from "./operation.ts";
import type { ApiDeps } from "./run-operation.ts";

let server: Server;
let port: number;
const connections: Socket[] = [];
let whenAsked: (body: unknown) => MaybePromise<string>;
let whenAnswered: () => void;

const say = accountOperation({
  id: "say",
  summary: "Says something",
  route: "POST /say",
  limit: "send",
  writes: "grouped",
  isFrequent: true,
  body: z.unknown(),
  readBody: (_schema, raw) => raw,
  answers: { 200: { description: "What was said." } },
  refusals: [],
  handle: async ({ body }) => ok({ status: 200, body: { said: await whenAsked(body) } }),
});

const lookUpName = accountOperation({
  id: "lookUp",
  summary: "Says what it is called",
  route: "GET /names/{Name}",
  limit: "lookup",
  writes: false,
  isFrequent: true,
  params: z.strictObject({ Name: z.string() }),
  answers: { 200: { description: "What was said." } },
  refusals: [],
  handle: ({ params }) => andThen(whenAsked(params.Name), (said) => ok({ status: 200, body: { said } })),
});

const [operation, lookUp] = tagged("Test", [say, lookUpName]) as [Operation, Operation];

const deps = {
  store: {},
  credentials: {
    account: (sid: string) => ({ account: { sid, status: "Active", limitChanges: {} }, toolWrites: false, token: 1 }),
  },
  limits: { take: () => ({ admitted: true, remaining: 1, resetSeconds: 1 }) },
  clock: { now: () => new Date() },
  log: silent,
  supportContact: "support",
  observe: () => whenAnswered(),
  uuids: makeIds(systemClock),
  refusals: { note: () => undefined },
  live: new LiveTap(),
  active: { note: () => undefined },
} as unknown as ApiDeps;

beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume().on("end", () => response.end('"the long way"'));
  });
  openFastPath(server, {
    deps,
    operations: new Map([
      ["/say", operation],
      ["/names/:Name", lookUp],
    ]),
    isLeaving: () => false,
  });
  server.on("connection", (socket: Socket) => connections.push(socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  port = (server.address() as AddressInfo).port;
});
beforeEach(() => {
  whenAsked = async (body) => JSON.stringify(body);
  whenAnswered = () => undefined;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const AUTHORIZATION = `Basic ${Buffer.from("AC:token").toString("base64")}`;
const plain = (body: string, ...more: readonly string[]) =>
  [
    "POST /say HTTP/1.1",
    "Host: a",
    `Authorization: ${AUTHORIZATION}`,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...more,
    "",
    body,
  ].join("\r\n");

const get = (path: string, ...more: readonly string[]) =>
  [`GET ${path} HTTP/1.1`, "Host: a", `Authorization: ${AUTHORIZATION}`, ...more, "", ""].join("\r\n");

/** Holds the next operation until `answer` is called. */
function holdQuestion(): { readonly asked: Promise<void>; answer(said: string): void } {
  let answer: (said: string) => void = () => {};
  const held = new Promise<string>((resolve) => {
    answer = resolve;
  });
  const asked = new Promise<void>((resolve) => {
    whenAsked = () => {
      resolve();
      return held;
    };
  });
  return { asked, answer: (said) => answer(said) };
}

/** A connection that reads answers in the order in which they arrive. */
class Talk {
  readonly #socket = connect(port, "127.0.0.1");
  #text = "";
  #heard = () => {};
  readonly closed = once(this.#socket, "close");

  constructor() {
    this.#socket.setNoDelay().on("data", (chunk: Buffer) => {
      this.#text += chunk.toString("utf8");
      this.#heard();
    });
  }

  async open(): Promise<Socket> {
    const opened = once(server, "connection");
    await once(this.#socket, "connect");
    await opened;
    return connections.at(-1) as Socket;
  }

  say(text: string): void {
    this.#socket.write(text);
  }

  async next(): Promise<{ readonly head: string; readonly body: string }> {
    for (;;) {
      const [head = "", rest] = this.#text.split(/\r\n\r\n(.*)/s, 2);
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
      if (rest !== undefined && Buffer.byteLength(rest) >= length) {
        const body = Buffer.from(rest).subarray(0, length).toString("utf8");
        this.#text = rest.slice(body.length);
        return { head, body };
      }
      await new Promise<void>((resolve) => {
        this.#heard = resolve;
      });
    }
  }

  pause(): void {
    this.#socket.pause();
  }

  read(): void {
    this.#socket.resume();
  }

  reset(): void {
    this.#socket.resetAndDestroy();
  }

  end(): void {
    this.#socket.destroy();
  }
}

test("a plain request is served here, and the next on the same connection", async () => {
  const talk = new Talk();
  for (const said of ["one", "two", "drei €"]) {
    talk.say(plain(JSON.stringify(said)));
    const { head, body } = await talk.next();
    expect(JSON.parse(body)).toEqual({ said: JSON.stringify(said) });
    expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(head).toMatch(/\r\nConnection: keep-alive\r\nKeep-Alive: timeout=\d+$/);
  }
  talk.end();
});

test("a GET is served here by the parameter at the end of its path, among other requests", async () => {
  const talk = new Talk();
  for (const [path, name] of [
    ["/names/+15551234567", "+15551234567"],
    ["/names/%2B15551234567", "+15551234567"],
    ["/names/%2b1", "+1"],
    ["/names/a_B-1", "a_B-1"],
  ] as const) {
    talk.say(get(path));
    expect(JSON.parse((await talk.next()).body)).toEqual({ said: JSON.stringify(name) });
    talk.say(plain('"between"'));
    expect(JSON.parse((await talk.next()).body)).toEqual({ said: '"between"' });
  }
  talk.end();
});

test("everything else goes the long way, and so does all that follows on its connection", async () => {
  for (const others of [
    [plain("{}").replace("/say", "/other")],
    [plain("{}", "X-Forwarded-For: 203.0.113.1")],
    [plain("{}").replace("POST", "PUT")],
    [plain("{}").replace("application/json", "image/png")],
    [plain('"two"'), plain('"at once"')],
    [get("/names/")],
    [get("/names/a/b")],
    [get("/names/a?b=c")],
    [get("/names/a%20b")],
    [get("/names/a+b")],
    [get("/NAMES/a")],
    [get("/say")],
    [get("/names/a").replace("GET", "DELETE")],
    [plain("{}").replace("/say", "/names/a")],
    [get("/names/a", "Origin: https://a.example")],
    [get("/names/a"), get("/names/b")],
  ]) {
    const talk = new Talk();
    talk.say(others.join(""));
    for (const _ of others) expect((await talk.next()).body).toBe('"the long way"');
    talk.say(plain('"now plain"'));
    expect((await talk.next()).body).toBe('"the long way"');
    talk.end();
  }
});

test("a request in pieces goes the long way, wherever it is cut", async () => {
  const whole = plain('"cut"');
  for (let at = 1; at < whole.length; at++) {
    const talk = new Talk();
    const socket = await talk.open();
    const first = once(socket, "data");
    talk.say(whole.slice(0, at));
    await first;
    talk.say(whole.slice(at));
    expect((await talk.next()).body).toBe('"the long way"');
    talk.end();
  }
});

test("what comes while a request is served waits for its answer, and is served then", async () => {
  const talk = new Talk();
  const socket = await talk.open();
  const question = holdQuestion();
  talk.say(plain('"first"'));
  await question.asked;
  whenAsked = async () => "second";
  const more = once(socket, "data");
  talk.say(plain('"more"'));
  await more;
  question.answer("first");
  expect(JSON.parse((await talk.next()).body)).toEqual({ said: "first" });
  expect(JSON.parse((await talk.next()).body)).toEqual({ said: "second" });
  talk.end();
});

test("an end is put off until the answer is out, and the answer says so", async () => {
  const talk = new Talk();
  const socket = await talk.open();
  const question = holdQuestion();
  talk.say(plain("1"));
  await question.asked;
  endingOf(socket)?.();
  question.answer("last");
  const { head, body } = await talk.next();
  expect(JSON.parse(body)).toEqual({ said: "last" });
  expect(head).toMatch(/\r\nConnection: close$/);
  await talk.closed;
});

test("who does not read gets nothing more to read", async () => {
  const talk = new Talk();
  const socket = await talk.open();
  let asked = 0;
  whenAsked = async () => {
    asked++;
    return "x".repeat(1_000_000);
  };
  talk.pause();
  while (!socket.writableNeedDrain) {
    const before = asked;
    talk.say(plain("1"));
    while (asked === before) await new Promise(setImmediate);
    await new Promise(setImmediate);
  }
  const served = asked;
  const more = once(socket, "data");
  talk.say(plain("1"));
  await more;
  await new Promise(setImmediate);
  expect(asked).toBe(served);
  talk.read();
  for (let n = 0; n <= served; n++) await talk.next();
  expect(asked).toBe(served + 1);
  talk.end();
});

test("of who has gone nothing is kept, and nothing that was still to be served is", async () => {
  const talk = new Talk();
  const socket = await talk.open();
  const question = holdQuestion();
  talk.say(plain("1"));
  await question.asked;
  const more = once(socket, "data");
  talk.say("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  await more;
  const closed = new Promise((resolve) => socket.once("close", resolve));
  talk.reset();
  socket.resume();
  await closed;
  question.answer("too late");
  await new Promise(setImmediate);
  // Still on the fast path: it was not given to the HTTP server, which would never learn that it ended.
  expect(endingOf(socket)).toBeDefined();
});

test("who is told to go before a first word is not left to the HTTP server", async () => {
  const opened = once(server, "connection");
  const client = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  await opened;
  const socket = connections.at(-1) as Socket;
  endingOf(socket)?.();
  await once(socket, "timeout");
  expect(endingOf(socket)).toBeDefined();
  client.destroy();
});

test("a fault is a problem, and the connection goes on", async () => {
  const talk = new Talk();
  whenAsked = async () => {
    throw new Unavailable("gone");
  };
  talk.say(plain("1"));
  const refused = await talk.next();
  expect(refused.head).toMatch(/^HTTP\/1\.1 503 /);
  expect(refused.head).toMatch(/\r\nRetry-After: 1\r\n/);
  whenAsked = async () => "back";
  talk.say(plain("1"));
  expect(JSON.parse((await talk.next()).body)).toEqual({ said: "back" });
  talk.say(plain("{"));
  expect((await talk.next()).head).toMatch(/^HTTP\/1\.1 400 /);
  talk.end();
});

test("what is known is answered at once, and so is a fault", async () => {
  const talk = new Talk();
  const order: string[] = [];
  whenAnswered = () => void order.push("answered");
  whenAsked = (name) => {
    queueMicrotask(() => order.push("later"));
    if (name === "bad") throw new Unavailable("gone");
    return "known";
  };
  talk.say(get("/names/good"));
  expect(JSON.parse((await talk.next()).body)).toEqual({ said: "known" });
  talk.say(get("/names/bad"));
  expect((await talk.next()).head).toMatch(/^HTTP\/1\.1 503 /);
  expect(order).toStrictEqual(["answered", "later", "answered", "later"]);
  talk.end();
});

test("who says nothing at first is left to the HTTP server, who then serves what comes", async () => {
  const talk = new Talk();
  const socket = await talk.open();
  await once(socket, "timeout");
  expect(endingOf(socket)).toBeUndefined();
  talk.say(plain("1"));
  expect((await talk.next()).body).toBe('"the long way"');
  talk.end();
});
