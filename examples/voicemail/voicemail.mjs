// Records callers who reach nobody, and texts a link to what they said: node voicemail.mjs [OWNER]
import { once } from "node:events";
import { createServer } from "node:http";
import { callScript, createClient, verifyWebhook } from "@tandem/sdk";

const { TANDEM_URL, TANDEM_ACCOUNT_SID, TANDEM_TOKEN, TANDEM_NUMBER } = process.env;
const [owner = "+14155550100"] = process.argv.slice(2);
const tandem = createClient({ baseUrl: TANDEM_URL, accountSid: TANDEM_ACCOUNT_SID, token: TANDEM_TOKEN });
const VOICEMAIL = `<Response><Say>Leave a message after the tone.</Say>
  <Record MaxLength="120" Timeout="3" FinishOnKey="#" Action="over"/></Response>`;
let secret;

const server = createServer(async (request, response) => {
  const payload = Buffer.concat(await request.toArray());
  response.setHeader("Content-Type", "application/xml");
  // Asked when the message is over; a caller who has hung up does not hear the answer.
  if (request.url === "/over") return response.end(callScript.hangUp("Thank you. Goodbye."));
  const { event } = await verifyWebhook({ payload, headers: request.headers, secret });
  console.log(`${event.From} calls ${event.To}`);
  response.end(VOICEMAIL);
}).listen(0, "127.0.0.1");
await once(server, "listening");

const url = `http://127.0.0.1:${server.address().port}/calls`;
const order = { type: "InboundCallReceivedWebhook", url, phone: TANDEM_NUMBER };
const { data: subscription } = await tandem.webhooks.create(order);
secret = subscription.secret;
const { data: last } = await tandem.events.list({ pageSize: 1 });
// In the sandbox it calls itself, speaks for a few seconds, and hangs up.
await tandem.sandbox.receiveCall({ from: "+12125550123", to: TANDEM_NUMBER, durationSeconds: 6 });
for await (const { type, payload } of tandem.events.stream({ lastEventId: last.items[0]?.id ?? "0-0" })) {
  if (type !== "CallRecordingCompleted" || payload.Source !== "Record") continue;
  const text = `Voicemail of ${Math.round(payload.DurationSeconds)} s: ${payload.Segments[0].Url}`;
  const { data: sent } = await tandem.messages.send({ from: TANDEM_NUMBER, to: owner, text });
  console.log(`${sent.sid}: ${text}`);
  break;
}
await tandem.webhooks.remove(subscription.sid);
server.close();
