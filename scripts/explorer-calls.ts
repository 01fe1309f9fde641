// Generates portal/src/screens/api/operation-calls.generated.ts: each operation of an account as a call of the SDK and
// of the command line, for the API explorer.

import type { Kind, PlainCommand, PlainInput } from "../src/base/plain-command.ts";
import type { DocumentedOperation } from "../src/server/parts/api.ts";
import { plainCommands } from "./plain-commands.ts";
import { memberOf, type OperationTypes, operationTypes } from "./sdk-types.ts";

const HEADER = `// Each operation as the SDK and the command line call it: npm run generate. Not written by hand.
//
// An empty one has no short form there. \`{name}\` stands for a value of the form. In the SDK \`{query}\` and
// \`{body}\` are objects of all that is given, \`{#n}\` is a number; on the command line \`[--from From]\` is left out
// where it is empty, and \`[--failed !delivered]\` unless that is false.

import { tableOf } from "../../components/lookup-table.ts";

interface Calls {
  readonly sdk: string;
  readonly cli: string;
}

export const OPERATION_CALLS = tableOf<Calls>(`;

export function explorerCalls(operations: readonly DocumentedOperation[], document: object): string {
  const types = operationTypes(document);
  const plain = new Map(plainCommands(operations, document).map((command) => [command.name, command]));
  const entries = operations.flatMap(({ name, operation }) => {
    const known = types.get(name);
    if (!known || operation.who !== "account") return [];
    return [[operation.id, { sdk: methodOf(operation.sdk ?? "", known), cli: lineOf(operation, plain) }]];
  });
  return `${HEADER}${JSON.stringify(Object.fromEntries(entries), null, 2)});\n`;
}

const FILES = '[{ name: "letter.pdf", bytes: await readFile("letter.pdf") }]';

function methodOf(sdk: string, { params, query, body, form, answer }: OperationTypes): string {
  const [, name = "", given] = /^([\w.]+)(?:\((.*)\))?$/.exec(sdk) ?? [];
  // Members have the names of the OpenAPI document.
  const spelled = new Map(params.map((param) => [param.name, param.isNumber ? `#${param.name}` : param.name]));
  const inPath = params.map((param) => spelled.get(param.name) ?? "");
  const isStream = answer === "string";
  const rest = [
    ...(body ? ["body"] : form ? ["data"] : []),
    ...(query && !query.isRequired && !isStream ? ["query"] : []),
  ];
  const taken = given?.split(", ").map((each) => spelled.get(each) ?? each) ?? [...inPath, ...rest];
  const places = taken.map((each) => `{${query?.isRequired && each === "number" ? "Number" : each.replace("?", "")}}`);
  return `${name}(${[...places, ...(form && !body ? [FILES] : [])].join(", ")})`;
}

/** Kinds whose values are written differently in the explorer's form. */
const SPELLED_OTHERWISE = new Set<Kind>(["someOf", "commaWords", "sendingTimes", "limits", "countries"]);

/** The operation's first command whose words are all values of the form. */
function lineOf({ command }: DocumentedOperation["operation"], plain: ReadonlyMap<string, PlainCommand>): string {
  const described = [command ?? []].flat().find((each) => typeof each === "string" || each.sets === undefined);
  if (typeof described === "string") return described;
  const known = plain.get(described?.name ?? "");
  const isAlternative = (input: PlainInput | "--json") => input !== "--json" && input.with !== undefined;
  if (!described || !known || (known.needs !== undefined && known.options.some(isAlternative))) return "";
  // The form uses the OpenAPI document's names of members.
  const inputs = [...Object.values(described.arguments ?? {}), ...Object.values(described.options ?? {})];
  const spelled = new Map(inputs.flatMap((input) => (Array.isArray(input) ? [[memberOf(input[0]), input[0]]] : [])));
  const name = ({ to }: PlainInput) => (to === "limit" ? "PageSize" : (spelled.get(to) ?? to));
  const options = known.options.flatMap((input) => {
    if (input === "--json" || isAlternative(input)) return [];
    if (input.to === "out" || SPELLED_OTHERWISE.has(input.kind)) return [];
    const takesValue = input.shown.includes("<");
    if (takesValue && input.kind === "yesOrNo") return [];
    return [`[${/--[\w-]+/.exec(input.shown)?.[0]} ${input.value === false ? "!" : ""}${name(input)}]`];
  });
  return [known.name, ...known.arguments.map((input) => `{${name(input)}}`), ...options].join(" ");
}
