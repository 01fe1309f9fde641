// Every method of Twilio's official client for `api.v2010` and `lookups.v2`, found by reflection, with the names of its
// parameters as its source sends them.

import type { TwilioClient } from "./twilio-client.ts";

export interface ClientParameter {
  /** As the client's caller writes it. */
  readonly name: string;
  /** As it is sent. */
  readonly wire: string;
  readonly isRequired: boolean;
  /** A value of the type that the client expects. */
  readonly sample: unknown;
}

export interface ClientMethod {
  /** For example `messages(sid).media.list`. */
  readonly key: string;
  readonly parameters: readonly ClientParameter[];
  readonly call: (parameters: Readonly<Record<string, unknown>>) => Promise<unknown>;
}

const METHODS = new Set(["create", "page", "fetch", "update", "remove"]);
const OWN = new Set(["constructor", "length", "name", "prototype", "arguments", "caller"]);
const SID = `XX${"0".repeat(32)}`;

type Node = Record<string, unknown> & ((...ids: string[]) => object);

export function clientMethods(client: TwilioClient, accountSid = SID): readonly ClientMethod[] {
  const found: ClientMethod[] = [];
  walk("accounts", client.api.v2010.accounts as unknown as Node, found, accountSid);
  walk("lookups.v2", client.lookups.v2 as unknown as Node, found);
  return found.map((method) => ({ ...method, key: method.key.replace(/^accounts\(sid\)\.(?=.*\.)/, "") }));
}

function walk(key: string, node: Node, found: ClientMethod[], id = SID): void {
  const inherited = typeof node === "function" ? [] : Object.getOwnPropertyNames(Object.getPrototypeOf(node));
  for (const name of new Set([...Object.getOwnPropertyNames(node), ...inherited])) {
    if (name.startsWith("_") || OWN.has(name)) continue;
    if (METHODS.has(name)) found.push(methodOf(`${key}.${name === "page" ? "list" : name}`, node, name));
    else {
      const child = node[name] as Node | undefined;
      if (child && child !== node && "_version" in Object(child)) walk(`${key}.${name}`, child, found);
    }
  }
  if (typeof node === "function" && typeof (node as Node).get === "function") {
    walk(`${key}(sid)`, node(...Array<string>(node.length).fill(id)) as Node, found);
  }
}

function methodOf(key: string, node: Node, name: string): ClientMethod {
  const method = node[name] as (parameters?: object) => Promise<unknown>;
  const parameters = parametersOf(Function.prototype.toString.call(method));
  return {
    key,
    parameters,
    call: (given) => (Object.keys(given).length > 0 ? method.call(node, { ...given }) : method.call(node)),
  };
}

function parametersOf(source: string): readonly ClientParameter[] {
  return [...source.matchAll(/data\["([^"]+)"\] =\s*(.*?)params\["(\w+)"\]/gs)].map(
    ([, wire = "", how = "", name = ""]) => ({
      name,
      wire,
      isRequired: source.includes(`"Required parameter \\"params['${name}']\\" missing.`),
      sample: sampleOf(how),
    }),
  );
}

function sampleOf(how: string): unknown {
  if (how.includes("serialize.map")) return ["x"];
  if (how.includes("iso8601")) return new Date("2026-01-31T12:00:00Z");
  if (how.includes("serialize.bool")) return true;
  if (how.includes("serialize.prefixedCollapsibleMap")) return {};
  return "1";
}
