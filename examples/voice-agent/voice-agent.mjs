// Connects callers with the agent of agent.mjs, over a WebSocket: node voice-agent.mjs
import { once } from "node:events";
import { createServer } from "node:http";
import { callScript, createClient, verifyWebhook } from "@tandem/sdk";
import { WebSocketServer } from "ws";
import { talk } from "./agent.mjs";

const { TANDEM_URL, TANDEM_ACCOUNT_SID, TANDEM_TOKEN, TANDEM_NUMBER } = process.env;
const tandem = createClient({ baseUrl: TANDEM_URL, accountSid: TANDEM_ACCOUNT_SID, token: TANDEM_TOKEN });
let secret;

const server = createServer(async (request, response) => {
  const payload = Buffer.concat(await request.toArray());
  response.setHeader("Content-Type", "application/xml");
  // Asked when the agent has left.
  if (request.url === "/over") return response.end(callScript.hangUp("Goodbye."));
  const { event } = await verifyWebhook({ payload, headers: request.headers, secret });
  console.log(`${event.From} calls ${event.To}`);
  const stream = `<Stream Url="ws://${request.headers.host}/agent"/>`;
  response.end(`<Response><Connect Action="over">${stream}</Connect></Response>`);
}).listen(0, "127.0.0.1");
new WebSocketServer({ server }).on("connection", talk);
await once(server, "listening");

const url = `http://127.0.0.1:${server.address().port}/calls`;
const order = { type: "InboundCallReceivedWebhook", url, phone: TANDEM_NUMBER };
const { data: subscription } = await tandem.webhooks.create(order);
secret = subscription.secret;
const { data: last } = await tandem.events.list({ pageSize: 1 });
// In the sandbox it calls itself, speaks all the time, and presses a key in the end.
const caller = { from: "+12125550123", durationSeconds: 60, digits: `${"w".repeat(12)}#` };
await tandem.sandbox.receiveCall({ ...caller, to: TANDEM_NUMBER });
for await (const { type, payload } of tandem.events.stream({ lastEventId: last.items[0]?.id ?? "0-0" })) {
  if (type === "CallStreamStatusChanged") console.log(`stream ${payload.Status}`);
  if (type === "CallStatusChangedWebhook" && payload.Status === "Completed") break;
}
await tandem.webhooks.remove(subscription.sid);
server.close();
