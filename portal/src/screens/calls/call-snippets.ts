// The request that places a call in several languages, filled with the user's values.

import type { CallOrder } from "@tandem/sdk";
import { type Caller, cliTab, curlTab, curlUser, sdkTab, shellWord, twilioTab } from "../../components/client-lines.ts";
import type { CodeTab } from "../../components/code.tsx";

/** An order that connects two parties. */
export type TwoParties = CallOrder & { readonly from: string };

export function callSnippets(caller: Caller, order: TwoParties): readonly CodeTab[] {
  const body = JSON.stringify(order, null, 2);
  return [
    curlTab(
      caller,
      `curl ${curlUser(caller)}`,
      `${location.origin}/v1/Voice/Calls`,
      "-H 'Content-Type: application/json'",
      `-d ${shellWord(body)}`,
    ),
    sdkTab(caller, [
      `const { data } = await client.calls.place(${body.replace(/"(\w+)":/g, "$1:")});`,
      "console.log(data);",
    ]),
    twilioLines(caller, order),
    cliTab(caller, words(order)),
  ];
}

function twilioLines(caller: Caller, { from, to, callerId = "$NUMBER", record }: TwoParties): CodeTab {
  const dial = `<Dial${record ? ' record="record-from-answer-dual"' : ""}>${to}</Dial>`;
  return twilioTab(
    caller,
    "api",
    "const call = await client.calls.create({",
    `  from: "${callerId}",`,
    `  to: "${from}",`,
    `  twiml: \`<Response>${dial}</Response>\`,`,
    "});",
    "console.log(call.sid, call.status);",
  );
}

function words({ from, to, callerId, record, requireKeyPress }: TwoParties): string {
  const options = [callerId && `--caller-id ${callerId}`, record && "--record", requireKeyPress && "--key"].filter(
    Boolean,
  );
  return ["call", shellWord(from), shellWord(to), ...options].join(" ");
}
