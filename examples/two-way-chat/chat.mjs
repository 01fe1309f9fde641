// Replies to every incoming text until one says "bye". You need no address of your own: events are streamed.
import { createClient } from "@tandem/sdk";

const { TANDEM_URL, TANDEM_ACCOUNT_SID, TANDEM_TOKEN } = process.env;
const tandem = createClient({ baseUrl: TANDEM_URL, accountSid: TANDEM_ACCOUNT_SID, token: TANDEM_TOKEN });
const texts = new Map();

const onState = ({ kind }) => console.log(kind === "open" ? "listening" : "reconnecting");
for await (const { type, payload } of tandem.events.stream({ onState })) {
  if (type !== "InboundMessageReceived") continue;
  const { Sid, From, To, Text } = payload;
  console.log(`${From}: ${Text}`);
  const count = (texts.get(From) ?? 0) + 1;
  texts.set(From, count);
  const isLast = Text.trim().toLowerCase() === "bye";
  const text = isLast ? `Goodbye! That were ${count} texts.` : `You wrote "${Text}". Write bye to end this.`;
  // The key is the received message: if this program restarts and sees it again, its sender gets only one reply.
  const { data: reply } = await tandem.messages.send({ from: To, to: From, text }, { idempotencyKey: `reply-${Sid}` });
  console.log(`${To}: ${reply.text}`);
  if (isLast) break;
}
