// The request that places a call in several languages, filled with the user's values.

import type { CallOrder } from "@tandem/sdk";
import { codeTab, sdkClientLines, shellWord, twilioClientLines } from "../../components/client-lines.ts";
import type { CodeTab } from "../../components/code.tsx";

export function callSnippets(accountSid: string, order: CallOrder): readonly CodeTab[] {
  const body = JSON.stringify(order, null, 2);
  return [
    codeTab(
      "curl",
      "sh",
      `curl -u ${accountSid}:$TANDEM_TOKEN \\`,
      `  ${location.origin}/v1/Voice/Calls \\`,
      "  -H 'Content-Type: application/json' \\",
      `  -d ${shellWord(body)}`,
    ),
    codeTab(
      "TypeScript",
      "ts",
      ...sdkClientLines(accountSid),
      `await client.calls.place(${body.replace(/"(\w+)":/g, "$1:")});`,
    ),
    twilioTab(accountSid, order),
    codeTab("tandem CLI", "sh", cliLine(order)),
  ];
}

function twilioTab(accountSid: string, { from, to, callerId = "$NUMBER", record }: CallOrder): CodeTab {
  const dial = `<Dial${record ? ' record="record-from-answer-dual"' : ""}>${to}</Dial>`;
  return codeTab(
    "twilio client",
    "ts",
    ...twilioClientLines(accountSid),
    "await client.calls.create({",
    `  from: "${callerId}",`,
    `  to: "${from}",`,
    `  twiml: '<Response>${dial}</Response>',`,
    "});",
  );
}

function cliLine({ from, to, callerId, record, requireKeyPress }: CallOrder): string {
  const options = [callerId && `--caller-id ${callerId}`, record && "--record", requireKeyPress && "--key"].filter(
    Boolean,
  );
  return ["tandem call", shellWord(from), shellWord(to), ...options].join(" ");
}
