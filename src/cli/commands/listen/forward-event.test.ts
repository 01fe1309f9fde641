import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type AccountEvent, newWebhookSecret } from "../../../../sdk/src/index.ts";
import { type ForwardOrder, forwardEvent } from "./forward-event.ts";

const SECRET = newWebhookSecret();
const EVENT: AccountEvent = {
  id: "7-1",
  type: "OptOutChanged",
  resourceSid: "EV1",
  createdOn: "2026-01-01T00:00:00.000Z",
  payload: {
    EventDate: "2026-01-01T00:00:00.000Z",
    Sequence: 1,
    Number: "+14155550101",
    ScopeType: "SenderPhoneNumber",
    Scope: "+14155550100",
    Change: "OptedOut",
    Keyword: "STÖP",
  },
};

let server: Server;
let order: ForwardOrder;
let heard: { readonly headers: IncomingMessage["headers"]; readonly body: string }[];
let reply: (response: ServerResponse) => void;

beforeEach(async () => {
  heard = [];
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    heard.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
    reply(response);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  order = { url, secret: SECRET, signal: new AbortController().signal };
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test("a receiver gets what a webhook would bring, and can verify it", async () => {
  reply = (response) => response.writeHead(204).end();
  const forwarded = await forwardEvent(order, EVENT);
  expect(forwarded).toEqual({ webhookSid: "listen-7-1", status: 204, failure: null, ms: expect.any(Number) });
  const [{ body, headers } = { body: "", headers: {} }] = heard;
  const verified = new Webhook(SECRET).verify(body, headers as Record<string, string>);
  expect(verified).toEqual({ WebhookSid: "listen-7-1", ...EVENT.payload });
  expect(headers).toMatchObject({
    "webhook-id": "listen-7-1",
    "content-type": "application/json",
    "x-event-type": "OptOutChanged",
  });
});

test("any answer is reported, and redirects are not followed", async () => {
  reply = (response) => response.writeHead(302, { Location: "/elsewhere" }).end();
  expect(await forwardEvent(order, EVENT)).toMatchObject({ status: 302, failure: null });
  reply = (response) => response.writeHead(500).end("oh no");
  expect(await forwardEvent(order, EVENT)).toMatchObject({ status: 500, failure: null });
  expect(heard).toHaveLength(2);
});

test("an endless answer is not waited for", async () => {
  reply = (response) => void response.writeHead(200).write("…");
  expect(await forwardEvent(order, EVENT)).toMatchObject({ status: 200 });
});

test("no answer is reported with its reason", async () => {
  reply = () => undefined;
  expect(await forwardEvent({ ...order, deadlineMs: 50 }, EVENT)).toMatchObject({
    status: null,
    failure: "no answer within 0.05 s",
  });
  const giveUp = new AbortController();
  reply = () => giveUp.abort();
  expect(await forwardEvent({ ...order, signal: giveUp.signal }, EVENT)).toMatchObject({ failure: "given up" });
  reply = (response) => response.destroy();
  expect(await forwardEvent(order, EVENT)).toMatchObject({ status: null, failure: expect.stringMatching(/\w/) });
});

test("a receiver that is not there is reported", async () => {
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  const closed = { ...order, url: `http://127.0.0.1:${port}/` };
  expect(await forwardEvent(closed, EVENT)).toMatchObject({ status: null, failure: "nothing listens there" });
  server.listen(0);
});
