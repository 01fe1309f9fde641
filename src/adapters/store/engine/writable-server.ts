// An address with several servers, as libpq reads it: `postgres://user@one:5432,two:5432/tandem`. Before each
// connection the servers are asked which of them takes writes, so that connections follow a failover by themselves.
//
// The servers are asked in their order, each a moment after the one before it: while the first one is the primary, the
// others hear nothing, and one that hangs costs that moment. A server that is listed earlier and takes writes, too, is
// preferred, so all connections of a process go to one server.

import type pg from "pg";
import { READ_ONLY } from "./read-only.ts";

/** How long the others wait for the answer of an earlier server. */
const HEAD_START_MS = 500;
const IS_STARTING = "57P03";

export type Place = Pick<pg.Client, "host" | "port">;

/** The addresses of the servers of one address. */
export function serversOf(address: string): readonly [string, ...string[]] {
  const parts = /^(postgres(?:ql)?:\/\/(?:[^/?]*@)?)([^/?]*)(.*)$/s.exec(address);
  if (!parts) return [address];
  const [, head = "", hosts = "", tail = ""] = parts;
  const [first = "", ...others] = hosts.split(",");
  return [`${head}${first}${tail}`, ...others.map((host) => `${head}${host}${tail}`)];
}

/** `ask` fails where the server takes no writes. */
export async function findWritable(
  servers: readonly string[],
  ask: (server: string) => Promise<Place>,
  headStartMs = HEAD_START_MS,
): Promise<Place> {
  const asked: Promise<Place>[] = [];
  for (const server of servers) {
    asked.push(ask(server));
    const anyAnswer = Promise.any(asked);
    if (await isFoundWithin(anyAnswer, headStartMs)) return anyAnswer;
  }
  try {
    return await Promise.any(asked);
  } catch (fault) {
    throw noneFault(servers, (fault as AggregateError).errors as readonly Error[]);
  }
}

async function isFoundWithin(answer: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const isFound = answer.then(
    () => true,
    () => false,
  );
  try {
    return await Promise.race([isFound, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** While a server is read-only or starting, another one may be about to take over: the code says that it will pass. */
function noneFault(servers: readonly string[], faults: readonly Error[]): Error {
  const codes = faults.map((fault) => (fault as { readonly code?: string }).code);
  const code = codes.find((each) => each === READ_ONLY || each === IS_STARTING) ? IS_STARTING : codes[0];
  const reasons = faults.map((fault, index) => `${hostOf(servers[index])}: ${fault.message || codes[index]}`);
  const message = `no server takes writes (${reasons.join("; ")})`;
  return Object.assign(new Error(message, { cause: faults[0] }), code === undefined ? {} : { code });
}

function hostOf(server: string | undefined): string {
  return server !== undefined && URL.canParse(server) ? new URL(server).host : "a server";
}
