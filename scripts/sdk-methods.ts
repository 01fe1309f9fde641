// Generates sdk/src/methods.generated.ts: a method of the client for each operation, named by its `sdk`. Operations
// that take files or return a stream have handwritten methods in the SDK.

import { takesKey } from "../src/adapters/http/document/refusals.ts";
import type { DocumentedOperation } from "../src/server/parts/api.ts";
import { commentLines, memberOf, type OperationTypes, operationTypes } from "./sdk-types.ts";

const HEADER = `// The client's methods, one for each operation of the API: npm run generate. Not written by hand.

import type {
IMPORTS
} from "./api.generated.ts";
import { type Answer, ask, type CallOptions, type ClientOrder, type WriteOptions } from "./exchange.ts";
import { type Listing, listing } from "./page.ts";
import type { AccountEvent, OwnedAccountEvent } from "./webhook-events.ts";
`;

/** The interface of each group of methods, with its comment. */
const ACCOUNT_GROUPS: Readonly<Record<string, readonly [name: string, comment: string]>> = {
  lookup: ["PlainLookup", "Carrier, line type and messaging status of numbers."],
  account: ["AccountItself", "The account itself: what it may, its tokens, and asking for features."],
  messages: ["PlainMessages", "Messages: sending them, their state and history, and those received."],
  calls: ["Calls", "Calls: placing them, their state and history, and ending them."],
  conferences: ["Conferences", "Conferences: who is in them, muting and removing participants, and ending them."],
  phones: ["Phones", "The account's numbers: finding available ones, taking one, changing it, giving it back."],
  messagingConfigs: ["MessagingConfigs", "MessagingConfigs: settings for sending, and the numbers that they apply to."],
  campaigns: ["Campaigns", "Campaigns of the registry, as they were imported."],
  portIn: ["PlainPortIn", "Numbers ported in from other carriers."],
  migrations: ["PlainMigrations", "The progress of moving campaigns and their numbers here."],
  optOuts: ["OptOuts", "People who do not want messages from a number or a campaign."],
  sandbox: ["PlainSandbox", "Makes things happen in the simulated outside world. Without a sandbox: 404."],
  webhooks: ["Webhooks", "Webhook subscriptions: the URLs that events are sent to."],
  deliveries: ["PlainDeliveries", "The state of each event that was to be sent to a webhook, and sending it again."],
  events: ["PlainEvents", "Every event of the account, subscribed or not."],
  statistics: ["Statistics", "How many messages, calls and deliveries ended how."],
  search: ["AccountSearch", "Finding what the account has: numbers, ids, names, and texts by their words."],
  changes: ["Changes", "Who changed what in the account, of the last 90 days."],
  requests: ["Requests", "Refused requests of the last 7 days, and what became of any request."],
  session: ["Sessions", "Signing in and out for pages that the server delivers, and who is signed in."],
  oversight: ["Oversight", "What needs somebody, grouped by its cause, and how much traffic there is."],
};

const OPERATOR_GROUPS: Readonly<Record<string, readonly [name: string, comment: string]>> = {
  accounts: ["Accounts", "Accounts as the operator sees them: making and changing them, and their tokens."],
  featureRequests: ["FeatureRequests", "What accounts have asked for."],
  tokens: ["OperatorTokens", "The operators' own tokens."],
  auditLog: ["AuditLog", "What operators did."],
  lookupOverrides: ["LookupOverrides", "What lookups of a number answer, whatever else is known of it."],
  numbers: ["Inventory", "The numbers that accounts can have."],
  portOrders: ["PortOrders", "The port orders of all accounts, and moving them along by hand."],
  campaigns: ["OwnedCampaigns", "The campaigns of all accounts: those of the registry, and those kept by hand."],
  links: ["Links", "The links to carriers."],
  trunks: ["Trunks", "The SIP trunks."],
  routes: ["Routes", "The routes of the config file."],
  recordings: ["TroubledRecordings", "Recordings with which something went wrong."],
  webhooks: ["OwnedWebhooks", "The subscriptions of all accounts."],
  supportLinks: ["SupportLinks", "Links by which people of an account show what they see."],
  search: ["Search", "Finding what a caller can name, over all accounts."],
  phones: ["PhoneOwners", "Whose a number is."],
  requests: ["OwnedRequests", "Refused requests of all callers, and what became of any request."],
  nodes: ["Nodes", "The processes that serve the database."],
  reconciles: ["Reconciles", "Work that brings what is here to what is."],
  events: ["PlainOwnedEvents", "The events of all accounts."],
  oversight: ["OperatorOversight", "What needs somebody, of all accounts and of the service itself."],
};

/** Types of the document for which the SDK has a more precise type. */
const FINER = new Map([
  ["Event", "AccountEvent"],
  ["OwnedEvent", "OwnedAccountEvent"],
]);

interface Method {
  /** `messages`, or `messages.inbound`. */
  readonly group: string;
  readonly name: string;
  readonly signature: string;
  readonly comment: string;
  readonly body: string;
}

export function sdkMethods(operations: readonly DocumentedOperation[], document: object): string {
  const types = operationTypes(document);
  const methods = (ofWhom: Client) =>
    operations.flatMap((documented) => {
      const known = types.get(documented.name);
      if (!known) throw new Error(`${documented.name} is not documented`);
      return clientOf(documented) === ofWhom ? methodsOf(documented, known) : [];
    });
  const text = [
    groupsOf("ClientMethods", "clientMethodsOf", ACCOUNT_GROUPS, methods("account")),
    groupsOf("OperatorMethods", "operatorMethodsOf", OPERATOR_GROUPS, methods("operator")),
    viewOf(methods("view")),
  ].join("\n");
  const named = [...types.values()].flatMap(({ query, body, answer, item }) => [query?.type, body, answer, item]);
  const known = new Set(named.flatMap((type) => type?.match(/\b[A-Z]\w+/g) ?? []));
  const isUsed = (name: string) => name !== "Uint8Array" && new RegExp(`\\b${name}\\b`).test(code);
  const code = text.replace(/\/\*\*[\s\S]*?\*\//g, "");
  const imports = [...known]
    .filter(isUsed)
    .sort()
    .map((name) => `  ${name},`);
  return `${HEADER.replace("IMPORTS", imports.join("\n"))}\n${text}`;
}

type Client = "account" | "operator" | "view";

const VIEW = "account(accountSid).";

function clientOf({ operation }: DocumentedOperation): Client {
  if (operation.sdk?.startsWith(VIEW)) return "view";
  return operation.who === "operator" ? "operator" : "account";
}

/** Empty for operations with handwritten methods. */
function methodsOf({ operation, name: operationName }: DocumentedOperation, types: OperationTypes): readonly Method[] {
  const { id, sdk, description, isRead, answers, summary } = operation;
  if (sdk === undefined) throw new Error(`${id} says no name of a method: sdk`);
  if (types.form !== undefined || Object.values(answers).some(({ mediaType }) => mediaType === "text/event-stream"))
    return [];
  const [, path = "", given] = /^([\w.]+?)(?:\((.*)\))?$/.exec(sdk.replace(VIEW, "")) ?? [];
  const [name = "", ...group] = path.split(".").reverse();
  const taken = given?.split(", ") ?? [
    ...types.params.map((param) => param.name).filter((param) => param !== "accountSid" || !sdk.startsWith(VIEW)),
    ...(types.body === undefined ? [] : ["body"]),
  ];
  const parts = requestParts(taken, types);
  const isList = operation.method === "GET" && id.startsWith("list") && types.item !== undefined;
  const item = types.item && (FINER.get(types.item) ?? types.item);
  const answer = isList ? `Listing<${item}>` : `Promise<Answer<${types.answer}>>`;
  const isFiltered = types.query !== undefined && !parts.isQueryTaken;
  const optionsType = takesKey(operation) ? "WriteOptions" : "CallOptions";
  const options = isFiltered ? `${types.query?.type} & ${optionsType}` : optionsType;
  const request = [
    ...(operation.method === "POST" && (isRead || !takesKey(operation)) ? ["changesNothing: true"] : []),
    isFiltered ? "signal" : "...options",
    ...parts.request,
    ...(isFiltered ? ["query"] : []),
  ];
  const cast = isList && item !== types.item ? ` as ${answer}` : "";
  const call = `${isList ? "listing" : "ask"}(order, "${operationName}", { ${request.join(", ")} })${cast}`;
  const names = [...parts.names, isFiltered ? "{ signal, ...query } = {}" : "options"];
  return [
    {
      group: group.reverse().join("."),
      name,
      signature: `${name}(${[...parts.typed, `options?: ${options}`].join(", ")}): ${answer}`,
      comment: [`${summary}.`, ...(description === undefined ? [] : [description])].join(" "),
      body: `(${names.join(", ")}) =>\n      ${call}`,
    },
  ];
}

/** The arguments of a method before its options, and the parts of the request made from them. */
function requestParts(taken: readonly string[], { params, query, body, isBodyOptional }: OperationTypes) {
  const [typed, names, request]: [string[], string[], string[]] = [[], [], []];
  const inPath = params.map(({ name, isNumber }) => {
    if (isNumber) return `${name}: String(${memberOf(name)})`;
    return memberOf(name) === name ? name : `${name}: ${memberOf(name)}`;
  });
  const [inQuery, inBody]: [string[], string[]] = [[], []];
  for (const each of taken) {
    const param = params.find(({ name }) => name === each);
    if (each === "query" && query) {
      typed.push(`query: ${query.type}`);
      names.push("query");
      request.push("query");
      continue;
    }
    const name = memberOf(each.replace("?", ""));
    names.push(each.endsWith("?") ? `${name} = {}` : name);
    if (param) typed.push(`${name}: ${param.type}`);
    else if (name === "body") {
      typed.push(`${each}: ${body}${isBodyOptional ? " | undefined" : ""}`);
      request.push(isBodyOptional ? "...(body && { body })" : "body");
    } else if (query?.members.includes(name)) {
      typed.push(`${name}: ${query.type}["${name}"]`);
      inQuery.push(name);
    } else {
      typed.push(`${name}: ${body}["${name}"]`);
      inBody.push(name);
    }
  }
  const object = (name: string, members: readonly string[]) =>
    members.length === 0 ? [] : [`${name}: { ${members.join(", ")} }`];
  return {
    typed,
    names,
    isQueryTaken: taken.includes("query") || inQuery.length > 0,
    request: [...object("params", inPath), ...request, ...object("body", inBody), ...object("query", inQuery)],
  };
}

/** An interface for each group, one for all groups, and a function that creates them. */
function groupsOf(
  type: string,
  make: string,
  groups: Readonly<Record<string, readonly [name: string, comment: string]>>,
  methods: readonly Method[],
): string {
  const lost = methods.find(({ group }) => !(topOf(group) in groups));
  if (lost) throw new Error(`${lost.group}.${lost.name} belongs to no group of methods (scripts/sdk-methods.ts)`);
  return [
    ...Object.entries(groups).map(([group, [name, comment]]) => {
      const members = membersOf(
        group,
        methods,
        ({ comment: said, signature }) => `${commentLines(wrapped(said), "")}${signature};`,
      );
      return `/** ${comment} */\nexport interface ${name} {\n${indented(members.map(typeOf))}\n}\n`;
    }),
    `export interface ${type} {\n${Object.entries(groups)
      .map(([group, [name]]) => `  readonly ${group}: ${name};`)
      .join("\n")}\n}\n`,
    `export function ${make}(order: ClientOrder): ${type} {\n  return {\n${Object.keys(groups)
      .map((group) => `    ${group}: ${implementationOf(group, methods)},`)
      .join("\n")}\n  };\n}\n`,
  ].join("\n");
}

/** An account's methods that only read, under the same names, for operators. */
function viewOf(methods: readonly Method[]): string {
  const groups = [...new Set(methods.map(({ group }) => topOf(group)))];
  const picks = groups.map((group) => {
    const names = new Set(methods.filter((each) => topOf(each.group) === group).map(innerOf));
    const type = ACCOUNT_GROUPS[group as keyof typeof ACCOUNT_GROUPS]?.[0];
    return `  readonly ${group}: Pick<${type}, ${[...names].map((name) => `"${name}"`).join(" | ")}>;`;
  });
  return [
    `/** An account as it sees itself; a client of the account can do the same. */`,
    `export interface AccountView {\n${picks.join("\n")}\n}\n`,
    `export function accountViewOf(order: ClientOrder, accountSid: string): AccountView {\n  return {`,
    ...groups.map((group) => `    ${group}: ${implementationOf(group, methods)},`),
    "  };\n}\n",
  ].join("\n");
}

const topOf = (group: string) => group.split(".")[0] ?? "";
const innerOf = ({ group, name }: Method) => group.split(".")[1] ?? name;

interface Member {
  readonly name: string;
  readonly own?: string;
  readonly inner?: readonly string[];
}

/** The methods of a group in order; the methods of a nested group are kept together. */
function membersOf(group: string, methods: readonly Method[], print: (method: Method) => string): readonly Member[] {
  const own = methods.filter((method) => method.group === group);
  const inner = methods.filter((method) => method.group.startsWith(`${group}.`));
  const names = [...new Set(inner.map(innerOf))];
  return [
    ...own.map((method) => ({ name: method.name, own: print(method) })),
    ...names.map((name) => ({ name, inner: inner.filter((method) => innerOf(method) === name).map(print) })),
  ];
}

function typeOf({ name, own, inner }: Member): string {
  return own ?? `readonly ${name}: {\n${indented(inner ?? [])}\n};`;
}

function implementationOf(group: string, methods: readonly Method[]): string {
  const members = membersOf(group, methods, ({ name, body }) => `${name}: ${body},`);
  return `{\n${members
    .map(({ name, own, inner }) => `      ${own ?? `${name}: {\n${indented(inner ?? [], "        ")}\n      },`}`)
    .join("\n")}\n    }`;
}

/** Wraps comments at the line length of handwritten ones. */
function wrapped(text: string): readonly string[] {
  return text.match(/.{1,108}(?:\s+|$)/g)?.map((line) => line.trim()) ?? [];
}

function indented(lines: readonly string[], indent = "  "): string {
  return lines.map((line) => line.replace(/^/gm, indent)).join("\n");
}
