// Sends a text and waits for its outcome: node send.mjs TO [TEXT]
import { createClient, TandemError } from "@tandem/sdk";

const { TANDEM_URL, TANDEM_ACCOUNT_SID, TANDEM_TOKEN, TANDEM_NUMBER } = process.env;
const [to = "+14155550100", text = "Hello from Tandem"] = process.argv.slice(2);
const tandem = createClient({ baseUrl: TANDEM_URL, accountSid: TANDEM_ACCOUNT_SID, token: TANDEM_TOKEN });

try {
  const { data: last } = await tandem.events.list({ pageSize: 1 });
  // A message repeated with the same key within a day is sent once.
  const { data: sent } = await tandem.messages.send(
    { from: TANDEM_NUMBER, to, text },
    { idempotencyKey: `hello-${Date.now()}` },
  );
  console.log(
    `${sent.sid}: ${sent.segmentCount} segment(s) in ${sent.encoding}, by ${sent.carrier ?? "an unknown carrier"}`,
  );
  for await (const { type, payload } of tandem.events.stream({ lastEventId: last.items[0]?.id ?? "0-0" })) {
    if (type !== "OutboundMessageStatusChanged" || payload.Sid !== sent.sid) continue;
    console.log(payload.Status);
    if (payload.Status !== "Sent") break;
  }
} catch (error) {
  if (!(error instanceof TandemError)) throw error;
  console.error(`refused: ${error.message} (error ${error.errorCode}, request ${error.requestId})`);
  process.exitCode = 1;
}
