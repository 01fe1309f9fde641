// A request of the explorer in several languages, filled with the form's values.

import { type Caller, cliTab, curlTab, curlUser, sdkTab, shellWord, twilioTab } from "../../components/client-lines.ts";
import type { CodeTab } from "../../components/code.tsx";
import type { Operation } from "./openapi.ts";
import { OPERATION_CALLS } from "./operation-calls.generated.ts";
import { addressOf, given, type Values } from "./request.ts";

type Given = Readonly<Record<string, unknown>>;

export function apiSnippets(caller: Caller, operation: Operation, values: Values): readonly CodeTab[] {
  const [body, query] = [given(operation, values, "body"), given(operation, values, "query")];
  const all = { ...given(operation, values, "path"), ...query, ...body };
  const known = OPERATION_CALLS.get(operation.id);
  const twilio = twilioLine(operation, all);
  return [
    curlTab(caller, ...curlLines(caller, operation, values, body)),
    ...(known ? [sdkTab(caller, ...sdkLines(known.sdk, { all, query, body }))] : []),
    ...(twilio ? [twilioTab(caller, twilio.includes("lookups") ? "lookups" : "api", twilio)] : []),
    ...(known && known.cli !== "" ? [cliTab(caller, cliWords(known.cli, all))] : []),
  ];
}

function curlLines(caller: Caller, operation: Operation, values: Values, body: Given): readonly string[] {
  const { method } = operation;
  const address = `${location.origin}${addressOf(operation, values)}`;
  const lines = [
    `curl ${method === "GET" || (method === "POST" && operation.body !== "none") ? "" : `-X ${method} `}${curlUser(caller)}`,
    shellWord(address),
  ];
  if (operation.id === "streamEvents") lines.push("-N");
  if (operation.body === "json") {
    lines.push("-H 'Content-Type: application/json'", `-d ${shellWord(JSON.stringify(body, null, 2))}`);
  }
  if (operation.body === "files") {
    lines.push(`-F ${shellWord(`data=${JSON.stringify(body.data ?? {})}`)}`, "-F files=@letter.pdf");
  }
  return lines;
}

interface Parts {
  readonly all: Given;
  readonly query: Given;
  readonly body: Given;
}

/** The lines that call, and what they import. */
function sdkLines(call: string, { all, query, body }: Parts): readonly [readonly string[], readonly string[]] {
  const filled = call
    .replace(/\{(#?)(\w+)\}/g, (_, isNumber: string, name: string) => {
      if (name === "query" || name === "body") return literal(camel(name === "query" ? query : body));
      const value = all[name] ?? "";
      return isNumber ? String(value) : literal(value);
    })
    .replace(/(\(|, )\{\}\)/, (_, before: string) => (before === "(" ? "()" : ")"));
  const lines = call.startsWith("events.stream")
    ? [`for await (const event of client.${filled}) console.log(event);`]
    : [`const { data } = await client.${filled};`, "console.log(data);"];
  return [lines, call.includes("readFile") ? ['import { readFile } from "node:fs/promises";'] : []];
}

/** The SDK uses camel case for all names. */
function camel(values: Given): Given {
  const named = Object.entries(values).map(([name, value]) => [name.charAt(0).toLowerCase() + name.slice(1), value]);
  return Object.fromEntries(named) as Given;
}

const literal = (value: unknown) => JSON.stringify(value, null, 2).replace(/"([A-Za-z_]\w*)":/g, "$1:");

function cliWords(call: string, all: Given): string {
  const words = (name: string): readonly string[] => {
    const value = all[name] ?? `$${name.toUpperCase()}`;
    return (Array.isArray(value) ? value : [value]).map((one) => shellWord(String(one)));
  };
  const option = (flag: string, not: string, name: string): string => {
    const value = not ? all[name] === false : all[name];
    if (value === undefined || value === false) return "";
    return value === true
      ? ` ${flag}`
      : words(name)
          .map((word) => ` ${flag} ${word}`)
          .join("");
  };
  const filled = call
    .replace(/ \[(--[\w-]+) (!?)(\w+)\]/g, (_, flag: string, not: string, name: string) => option(flag, not, name))
    .replace(/\{(\w+)\}/g, (_, name: string) => words(name).join(" "));
  return filled;
}

/** For operations that the twilio client also has. */
function twilioLine({ id }: Operation, all: Given): string | undefined {
  const text = (name: string) => JSON.stringify(all[name] ?? "");
  if (id === "sendMessage") {
    return `await client.messages.create({ from: ${text("From")}, to: ${text("To")}, body: ${text("Text")} });`;
  }
  if (id === "lookUpNumber") return `await client.lookups.v2.phoneNumbers(${text("Number")}).fetch();`;
  if (id !== "placeCall") return undefined;
  const twiml = JSON.stringify(`<Response><Dial>${String(all.to ?? "")}</Dial></Response>`);
  return `await client.calls.create({ from: ${text("callerId")}, to: ${text("from")}, twiml: ${twiml} });`;
}
