// The request that sends a text in several languages, filled with the user's values.

import { codeTab, sdkClientLines, shellWord, twilioClientLines } from "./client-lines.ts";
import type { CodeTab } from "./code.tsx";

export interface TextOrder {
  readonly accountSid: string;
  readonly from: string;
  readonly to: string;
  readonly text: string;
}

export function textSnippets({ accountSid, from, to, text }: TextOrder): readonly CodeTab[] {
  return [
    codeTab(
      "curl",
      "sh",
      `curl -u ${accountSid}:$TANDEM_TOKEN \\`,
      `  ${location.origin}/messaging/v1/OutboundMessages \\`,
      `  --data-urlencode From=${from} \\`,
      `  --data-urlencode To=${to} \\`,
      `  --data-urlencode ${shellWord(`Text=${text}`)}`,
    ),
    codeTab(
      "TypeScript",
      "ts",
      ...sdkClientLines(accountSid),
      `await client.messages.send({ from: "${from}", to: "${to}", text: ${JSON.stringify(text)} });`,
    ),
    codeTab(
      "twilio client",
      "ts",
      ...twilioClientLines(accountSid),
      `await client.messages.create({ from: "${from}", to: "${to}", body: ${JSON.stringify(text)} });`,
    ),
    codeTab("tandem CLI", "sh", `tandem send --from ${from} --to ${to} --text ${shellWord(text)}`),
  ];
}
