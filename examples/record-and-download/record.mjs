// Connects two telephones, records what they say, and saves it: node record.mjs [FROM] [TO] [FILE]
import { writeFile } from "node:fs/promises";
import { createClient } from "@tandem/sdk";

const { TANDEM_URL, TANDEM_ACCOUNT_SID, TANDEM_TOKEN } = process.env;
const [from = "+14155550111", to = "+14155550107", file = "call.mp3"] = process.argv.slice(2);
const tandem = createClient({ baseUrl: TANDEM_URL, accountSid: TANDEM_ACCOUNT_SID, token: TANDEM_TOKEN });

const { data: last } = await tandem.events.list({ pageSize: 1 });
const { data: call } = await tandem.calls.place({ from, to, record: true });
console.log(`${call.sid}: ${from} and ${to}`);
// Starts after the last event before the call, so that nothing is missed.
for await (const { type, payload } of tandem.events.stream({ lastEventId: last.items[0]?.id ?? "0-0" })) {
  if (payload.CallSid !== call.sid) continue;
  if (type === "CallStatusChangedWebhook") console.log(`${payload.Leg} ${payload.Status}`);
  if (type !== "CallRecordingCompleted") continue;
  for (const { Index, DurationSeconds, Sha256 } of payload.Segments) {
    const { data: audio } = await tandem.calls.recording(call.sid, Index);
    const name = Index === 1 ? file : file.replace(/(\.mp3)?$/, `-${Index}.mp3`);
    await writeFile(name, audio);
    console.log(`${name}: ${DurationSeconds} s, ${audio.length} bytes, sha256 ${Sha256.slice(0, 8)}…`);
  }
  break;
}
