// Answers a call: forwards it during office hours, otherwise plays a sentence. In the sandbox it calls itself.
import { once } from "node:events";
import { createServer } from "node:http";
import { callScript, createClient, verifyWebhook } from "@tandem/sdk";

const { TANDEM_URL, TANDEM_ACCOUNT_SID, TANDEM_TOKEN, TANDEM_NUMBER } = process.env;
const tandem = createClient({ baseUrl: TANDEM_URL, accountSid: TANDEM_ACCOUNT_SID, token: TANDEM_TOKEN });
let secret;

const server = createServer(async (request, response) => {
  const payload = Buffer.concat(await request.toArray());
  const { event } = await verifyWebhook({ payload, headers: request.headers, secret });
  const isOpen = event.From !== "+12125550199";
  console.log(`${event.From} calls ${event.To}: ${isOpen ? "forwarded" : "told that we are closed"}`);
  const script = isOpen ? callScript.dial("+14155550107", { record: false }) : callScript.hangUp("We are closed.");
  response.setHeader("Content-Type", "application/xml").end(script);
}).listen(0, "127.0.0.1");
await once(server, "listening");

const url = `http://127.0.0.1:${server.address().port}/calls`;
const order = { type: "InboundCallReceivedWebhook", url, phone: TANDEM_NUMBER };
const { data: subscription } = await tandem.webhooks.create(order);
secret = subscription.secret;
try {
  for (const from of ["+12125550123", "+12125550199"]) {
    const events = tandem.events.stream({ lastEventId: (await tandem.events.list({ pageSize: 1 })).data.items[0]?.id });
    await tandem.sandbox.receiveCall({ from, to: TANDEM_NUMBER });
    for await (const { type, payload } of events)
      if (type === "CallStatusChangedWebhook" && payload.Status === "Completed") {
        console.log(`${from}: ${payload.EndReason}`);
        break;
      }
  }
} finally {
  await tandem.webhooks.remove(subscription.sid);
  server.close();
}
