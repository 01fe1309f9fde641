// The request that sends a text in several languages, filled with the user's values.

import { sdkClientLines, shellWord, twilioClientLines } from "./client-lines.ts";
import type { CodeTab } from "./code.tsx";

export interface TextOrder {
  readonly accountSid: string;
  readonly from: string;
  readonly to: string;
  readonly text: string;
}

export function textSnippets({ accountSid, from, to, text }: TextOrder): readonly CodeTab[] {
  const { origin } = location;
  return [
    {
      name: "curl",
      language: "sh",
      text: [
        `curl -u ${accountSid}:$TANDEM_TOKEN \\`,
        `  ${origin}/messaging/v1/OutboundMessages \\`,
        `  --data-urlencode From=${from} \\`,
        `  --data-urlencode To=${to} \\`,
        `  --data-urlencode ${shellWord(`Text=${text}`)}`,
      ].join("\n"),
    },
    {
      name: "TypeScript",
      language: "ts",
      text: [
        ...sdkClientLines(accountSid),
        `await client.messages.send({ from: "${from}", to: "${to}", text: ${JSON.stringify(text)} });`,
      ].join("\n"),
    },
    {
      name: "twilio client",
      language: "ts",
      text: [
        ...twilioClientLines(accountSid),
        `await client.messages.create({ from: "${from}", to: "${to}", body: ${JSON.stringify(text)} });`,
      ].join("\n"),
    },
    {
      name: "tandem CLI",
      language: "sh",
      text: `tandem send --from ${from} --to ${to} --text ${shellWord(text)}`,
    },
  ];
}
