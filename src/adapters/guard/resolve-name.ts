// Resolves a name: from the hosts file first, then from the name servers.
//
// Does not use the system's `getaddrinfo`: it runs in a pool of four threads, so four names whose servers never answer
// would block all other lookups, file access and hashing. The price: no mDNS and no search domains.

import type { LookupAddress } from "node:dns";
import { Resolver } from "node:dns/promises";
import { readFile, stat } from "node:fs/promises";
import { isIP } from "node:net";
import { ConnectFault } from "./connect-fault.ts";

/** Throws a `ConnectFault` when the name is unknown, no server answers, or the signal aborts. */
export type ResolveName = (hostname: string, signal: AbortSignal) => Promise<readonly LookupAddress[]>;

const HOSTS_FILE = process.platform === "win32" ? "C:\\Windows\\System32\\drivers\\etc\\hosts" : "/etc/hosts";
const SERVER_TIMEOUT_MS = 1_500;
const SERVER_TRIES = 2;
/** Codes for a name without addresses, unlike those for a missing answer. */
const NONE = new Set(["ENOTFOUND", "ENODATA"]);

export const resolveName: ResolveName = newNameResolver({});

export function newNameResolver(options: {
  readonly hostsFile?: string;
  /** `address:port` of name servers. Default: the system's, read each time because they change. */
  readonly servers?: readonly string[];
}): ResolveName {
  const hosts = newHostsFile(options.hostsFile ?? HOSTS_FILE);
  return async (hostname, signal) => {
    const name = hostname.replace(/\.$/, "").toLowerCase();
    const known = (await hosts()).get(name);
    if (known) return known;
    if (signal.aborted) throw new ConnectFault("dns", `The name ${name} was not looked up in time.`);
    // One resolver for each name, so that it can be cancelled alone.
    const resolver = new Resolver({ timeout: SERVER_TIMEOUT_MS, tries: SERVER_TRIES });
    if (options.servers) resolver.setServers(options.servers);
    const cancel = () => resolver.cancel();
    signal.addEventListener("abort", cancel, { once: true });
    try {
      const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
      const found = [...answersOf(v4, 4), ...answersOf(v6, 6)];
      if (found.length === 0) throw faultOf(name, [v4, v6]);
      return found;
    } finally {
      signal.removeEventListener("abort", cancel);
    }
  };
}

function answersOf(answer: PromiseSettledResult<readonly string[]>, family: 4 | 6): readonly LookupAddress[] {
  return answer.status === "fulfilled" ? answer.value.map((address) => ({ address, family })) : [];
}

function faultOf(name: string, answers: readonly PromiseSettledResult<unknown>[]): ConnectFault {
  const codes = answers.map((answer) => (answer.status === "rejected" ? String(answer.reason?.code) : "ENODATA"));
  const fault = codes.find((code) => !NONE.has(code));
  const detail =
    fault === undefined
      ? `The name ${name} has no address.`
      : `The name servers gave no answer for ${name} (${fault}).`;
  return new ConnectFault("dns", detail);
}

type Hosts = ReadonlyMap<string, readonly LookupAddress[]>;

/** Reads the file again when it has changed. An unreadable file counts as empty. */
function newHostsFile(path: string): () => Promise<Hosts> {
  let version = "";
  let hosts: Hosts = new Map();
  return async () => {
    try {
      const { mtimeMs, size } = await stat(path);
      const found = `${mtimeMs} ${size}`;
      if (found !== version) {
        hosts = parseHosts(await readFile(path, "utf8"));
        version = found;
      }
    } catch {
      version = "";
      hosts = new Map();
    }
    return hosts;
  };
}

export function parseHosts(text: string): Hosts {
  const hosts = new Map<string, LookupAddress[]>();
  for (const line of text.split("\n")) {
    const [address = "", ...names] = line.replace(/#.*/, "").trim().split(/\s+/);
    const family = isIP(address);
    if (family === 0) continue;
    for (const name of names) {
      const key = name.replace(/\.$/, "").toLowerCase();
      hosts.set(key, [...(hosts.get(key) ?? []), { address, family }]);
    }
  }
  return hosts;
}
