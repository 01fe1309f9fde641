// The initial values of the form: the document's examples, replaced where possible by what the account really has, so
// that a request works unchanged.

import { useQuery } from "@tanstack/react-query";
import { pageHeaders } from "../../api/client.ts";
import { tableOf } from "../../components/lookup-table.ts";
import { SANDBOX_NUMBER } from "../../components/sandbox-phone.tsx";
import type { Input, Operation } from "./openapi.ts";
import { keyOf, type Values } from "./request.ts";

type Item = Readonly<Record<string, unknown>>;

/** A number that can send, or any. */
async function ownPhone(signal: AbortSignal): Promise<Item> {
  const active = await newest("/v1/Phones", signal, "&Status=Active");
  return active.number === undefined ? newest("/v1/Phones", signal) : active;
}

/** The newest item of a list, or an empty object if there is none. */
async function newest(list: string, signal: AbortSignal, filter = ""): Promise<Item> {
  const response = await fetch(`${list}?PageSize=1${filter}`, {
    headers: pageHeaders(),
    signal,
  });
  if (!response.ok) return {};
  const { items } = (await response.json()) as { readonly items?: readonly Item[] };
  return items?.[0] ?? {};
}

/** The list that contains the item named by a member of the body. */
const LISTS_OF_BODIES = tableOf({
  emulateOutboundMessageStatus: "/messaging/v1/OutboundMessages",
  emulatePort: "/v1/Phones/port-in",
});

const OWN_NUMBERS = new Set(["From", "callerId", "phone", "emulateInboundMessage.to", "emulateInboundCall.to"]);
const OTHERS_NUMBERS = new Set(["To", "emulateInboundMessage.from", "emulateInboundCall.from", "placeCall.from"]);

interface Own {
  readonly phone: Item;
  readonly config: Item;
  readonly campaign: Item;
  /** The item that the path, or the body, names. */
  readonly named: Item;
}

/** Undefined while loading. */
export function useOwnValues(operation: Operation, operations: readonly Operation[]): Values | undefined {
  const list = LISTS_OF_BODIES.get(operation.id) ?? listOf(operation, operations);
  const { data } = useQuery({
    queryKey: ["openapi", "own", list],
    queryFn: async ({ signal }): Promise<Own> => {
      const [phone, config, campaign, named] = await Promise.all([
        ownPhone(signal),
        newest("/v1/MessagingConfigs", signal),
        newest("/v1/TcrCampaigns", signal),
        list === undefined ? {} : newest(list, signal),
      ]);
      return { phone, config, campaign, named };
    },
  });
  if (!data) return undefined;
  return Object.fromEntries(operation.inputs.map((input) => [keyOf(input), filled(operation, input, data)]));
}

/** The list whose items a path names: the part before its first parameter, if that can be listed. */
function listOf({ path }: Operation, operations: readonly Operation[]): string | undefined {
  const list = path.slice(0, Math.max(0, path.indexOf("/{")));
  return operations.some((operation) => operation.method === "GET" && operation.path === list) ? list : undefined;
}

function filled(operation: Operation, input: Input, own: Own): string {
  const { place, example, kind, isRequired } = input;
  if (place !== "path" && !isRequired && (place === "query" || isNotOwn(example))) return "";
  const value = ownValue(operation, input, own) ?? example;
  if (value === undefined || value === null) return "";
  return kind === "text" ? String(value) : JSON.stringify(value);
}

/** An example that must be replaced: the account does not own those addresses. */
const isNotOwn = (example: unknown) => example === undefined || /^https?:/.test(String(example));

function ownValue({ id }: Operation, { name, place }: Input, { phone, config, campaign, named }: Own): unknown {
  const full = `${id}.${name}`;
  if (place === "path" && name === "phone") return phone.number;
  if (name === "sid") return named.sid;
  if (name === "tcrCampaignId") return id === "emulateCampaignMigration" ? undefined : campaign.tcrCampaignId;
  if (name === "messagingConfigSid") return config.sid;
  if (OTHERS_NUMBERS.has(full) || (OTHERS_NUMBERS.has(name) && place === "body")) return SANDBOX_NUMBER;
  if (id === "createPhone") return undefined;
  if (OWN_NUMBERS.has(full) || (OWN_NUMBERS.has(name) && place === "body")) return phone.number;
  return undefined;
}
