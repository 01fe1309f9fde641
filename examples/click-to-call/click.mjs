// Rings an agent, waits for a key, then rings the customer and connects both: node click.mjs [AGENT] [CUSTOMER]
import { createClient } from "@tandem/sdk";

const { TANDEM_URL, TANDEM_ACCOUNT_SID, TANDEM_TOKEN, TANDEM_NUMBER } = process.env;
const [agent = "+14155550110", customer = "+14155550107"] = process.argv.slice(2);
const tandem = createClient({ baseUrl: TANDEM_URL, accountSid: TANDEM_ACCOUNT_SID, token: TANDEM_TOKEN });

const { data: last } = await tandem.events.list({ pageSize: 1 });
const { data: call } = await tandem.calls.place({
  from: agent,
  to: customer,
  callerId: TANDEM_NUMBER,
  requireKeyPress: true,
  keyPressPrompt: "A customer wants to talk to you. Press any key.",
});
process.once("SIGINT", () => tandem.calls.hangUp(call.sid));
for await (const { type, payload } of tandem.events.stream({ lastEventId: last.items[0]?.id ?? "0-0" })) {
  if (type !== "CallStatusChangedWebhook" || payload.CallSid !== call.sid) continue;
  console.log(`${payload.Leg === "First" ? "agent" : "customer"}: ${payload.Status}`);
  if (payload.Status === "Completed" && payload.Leg === "Second") break;
}
const { data: why } = await tandem.calls.why(call.sid);
console.log(`${why.summary.what} ${why.summary.why}`);
