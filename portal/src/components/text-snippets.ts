// The request that sends a text in several languages, filled with the user's values.

import { type Caller, cliTab, curlTab, curlUser, sdkTab, shellWord, twilioTab } from "./client-lines.ts";
import type { CodeTab } from "./code.tsx";

export interface TextOrder {
  readonly from: string;
  readonly to: string;
  readonly text: string;
}

export function textSnippets(caller: Caller, { from, to, text }: TextOrder): readonly CodeTab[] {
  const written = JSON.stringify(text);
  return [
    curlTab(
      caller,
      `curl ${curlUser(caller)}`,
      `${location.origin}/messaging/v1/OutboundMessages`,
      `--data-urlencode From=${from}`,
      `--data-urlencode To=${to}`,
      `--data-urlencode ${shellWord(`Text=${text}`)}`,
    ),
    sdkTab(caller, [
      `const { data } = await client.messages.send({ from: "${from}", to: "${to}", text: ${written} });`,
      "console.log(data);",
    ]),
    twilioTab(
      caller,
      "api",
      `const message = await client.messages.create({ from: "${from}", to: "${to}", body: ${written} });`,
      "console.log(message.sid, message.status);",
    ),
    cliTab(caller, `send --from ${from} --to ${to} --text ${shellWord(text)}`),
  ];
}
