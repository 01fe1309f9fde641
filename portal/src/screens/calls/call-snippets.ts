// The request that places a call in several languages, filled with the user's values.

import type { CallOrder } from "@tandem/sdk";
import { sdkClientLines, shellWord, twilioClientLines } from "../../components/client-lines.ts";
import type { CodeTab } from "../../components/code.tsx";

export function callSnippets(accountSid: string, order: CallOrder): readonly CodeTab[] {
  const { origin } = location;
  const body = JSON.stringify(order, null, 2);
  return [
    {
      name: "curl",
      language: "sh",
      text: [
        `curl -u ${accountSid}:$TANDEM_TOKEN \\`,
        `  ${origin}/v1/Voice/Calls \\`,
        "  -H 'Content-Type: application/json' \\",
        `  -d ${shellWord(body)}`,
      ].join("\n"),
    },
    {
      name: "TypeScript",
      language: "ts",
      text: [...sdkClientLines(accountSid), `await client.calls.place(${body.replace(/"(\w+)":/g, "$1:")});`].join(
        "\n",
      ),
    },
    { name: "twilio client", language: "ts", text: twilioLines(accountSid, order) },
    { name: "tandem CLI", language: "sh", text: cliLine(order) },
  ];
}

function twilioLines(accountSid: string, { from, to, callerId = "$NUMBER", record }: CallOrder): string {
  const dial = `<Dial${record ? ' record="record-from-answer-dual"' : ""}>${to}</Dial>`;
  return [
    ...twilioClientLines(accountSid),
    "await client.calls.create({",
    `  from: "${callerId}",`,
    `  to: "${from}",`,
    `  twiml: '<Response>${dial}</Response>',`,
    "});",
  ].join("\n");
}

function cliLine({ from, to, callerId, record, requireKeyPress }: CallOrder): string {
  const options = [callerId && `--caller-id ${callerId}`, record && "--record", requireKeyPress && "--key"].filter(
    Boolean,
  );
  return ["tandem call", shellWord(from), shellWord(to), ...options].join(" ");
}
