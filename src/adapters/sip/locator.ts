// Finds where a request for a URI goes (RFC 3263): NAPTR for the transport, SRV for hosts and ports, A and AAAA for
// addresses. Results are cached for a short time, because a trunk is looked up for every call.
//
// Guarantees: name servers that are silent about NAPTR and SRV, as behind some firewalls, leave time for the addresses.
// What was found without them, and that nothing was found, is remembered for seconds only.

import type { LookupAddress } from "node:dns";
import { isIP } from "node:net";
import { isLocalhost } from "../../../rules/ip-address.ts";
import { type SipUri, transportOf } from "../../../rules/sip-uri.ts";
import type { Clock } from "../../base/clock.ts";
import { forgetOldest } from "../../base/forget-oldest.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import type { Hop, Transport } from "./flow.ts";
import { LOOPBACK } from "./localhost.ts";
import type { SipNames } from "./names.ts";

export interface LocatorDeps {
  readonly clock: Clock;
  readonly random: () => number;
  readonly names: SipNames;
  /** The families of our source addresses, the preferred one first. */
  readonly families: readonly (4 | 6)[];
}

const KEPT_MS = 30_000;
/** For what was found while name servers were silent, and for a name that was not found. */
const DOUBTFUL_KEPT_MS = 5000;
const KEPT_MAX = 1000;
/** The most time for NAPTR, for SRV, and for the addresses. */
const RECORDS_MS = 1000;
const ADDRESSES_MS = 3000;
const HOPS_MAX = 20;

type HopUri = Pick<SipUri, "scheme" | "host" | "port" | "parameters">;

interface Server {
  readonly transport: Transport;
  readonly host: string;
  readonly port: number;
}

const SERVICES: readonly { readonly naptr: string; readonly transport: Transport; readonly srv: string }[] = [
  { naptr: "SIP+D2U", transport: "UDP", srv: "_sip._udp" },
  { naptr: "SIP+D2T", transport: "TCP", srv: "_sip._tcp" },
  { naptr: "SIPS+D2T", transport: "TLS", srv: "_sips._tcp" },
];

interface Found {
  readonly hops: readonly Hop[];
  /** Why there are none, as a sentence. */
  readonly fault: string;
  /** Whether all name servers that were asked have answered. */
  readonly isSure: boolean;
}

export class Locator {
  readonly #deps: LocatorDeps;
  readonly #kept = new Map<string, Found & { readonly untilMs: number }>();
  readonly #underWay = new Map<string, Promise<readonly Hop[]>>();

  constructor(deps: LocatorDeps) {
    this.#deps = deps;
  }

  /** The hops in the order to try them; empty when there is none. Synchronous when nothing has to be looked up. */
  locate(uri: HopUri): readonly Hop[] | Promise<readonly Hop[]> {
    const { host, port } = uri;
    const wanted = wantedTransport(uri);
    const family = isIP(host);
    if (family !== 0) {
      const transport = wanted ?? "UDP";
      const hop = { transport, address: host, family: family as 4 | 6, port: port ?? usualPort(transport) };
      return this.#deps.families.includes(hop.family) ? [{ ...hop, servername: host, server: host }] : [];
    }
    const key = keyOf(uri);
    const kept = this.#kept.get(key);
    if (kept && kept.untilMs > this.#deps.clock.elapsedMs()) return kept.hops;
    const underWay = this.#underWay.get(key) ?? this.#lookUp(key, host, port, wanted);
    this.#underWay.set(key, underWay);
    return underWay;
  }

  /** Why the last lookup of the URI found nothing, as a sentence. */
  faultOf(uri: HopUri): string {
    return this.#kept.get(keyOf(uri))?.fault || `There is no address for ${uri.host} that we can reach from ours.`;
  }

  async #lookUp(
    key: string,
    host: string,
    port: number | undefined,
    wanted: Transport | undefined,
  ): Promise<readonly Hop[]> {
    try {
      const found = await this.#find(host, port, wanted);
      const keptMs = found.isSure && found.hops.length > 0 ? KEPT_MS : DOUBTFUL_KEPT_MS;
      this.#kept.delete(key);
      this.#kept.set(key, { ...found, untilMs: this.#deps.clock.elapsedMs() + keptMs });
      forgetOldest(this.#kept, KEPT_MAX);
      return found.hops;
    } finally {
      this.#underWay.delete(key);
    }
  }

  async #find(host: string, port: number | undefined, wanted: Transport | undefined): Promise<Found> {
    const { servers, isSure } = await this.#servers(host, port, wanted);
    const hops: Hop[] = [];
    let fault = "";
    const found = await this.#within(ADDRESSES_MS, (signal) =>
      Promise.all(servers.slice(0, HOPS_MAX).map((server) => this.#addresses(server.host, signal))),
    );
    for (const [at, addresses] of found.entries()) {
      const { transport, port: into, host: name } = servers[at] as Server;
      if (!addresses.ok) fault ||= addresses.refusal;
      for (const { address, family } of addresses.ok ? addresses.value : []) {
        if (hops.length >= HOPS_MAX) break;
        hops.push({ transport, address, family, port: into, servername: host, server: name });
      }
    }
    return { hops, fault, isSure };
  }

  async #servers(
    host: string,
    port: number | undefined,
    wanted: Transport | undefined,
  ): Promise<{ readonly servers: readonly Server[]; readonly isSure: boolean }> {
    const direct = { transport: wanted ?? "UDP", host, port: port ?? usualPort(wanted ?? "UDP") } as const;
    if (port !== undefined || isLocalhost(host)) return { servers: [direct], isSure: true };
    const services = await this.#within(RECORDS_MS, (signal) => this.#services(host, wanted, signal));
    let { isSure } = services;
    const named = await this.#within(RECORDS_MS, async (signal) => {
      for (const { transport, name } of services.services) {
        const records = await this.#deps.names.srv(name, signal);
        if (!records) isSure = false;
        const usable = (records ?? []).filter(({ name: target }) => target !== "" && target !== ".");
        if (usable.length > 0) {
          return this.#inOrder(usable).map((record) => ({ transport, host: record.name, port: record.port }));
        }
      }
      return undefined;
    });
    return { servers: named ?? [direct], isSure };
  }

  /** RFC 3263 4.1: the services of NAPTR, or else one SRV name for each transport. */
  async #services(
    host: string,
    wanted: Transport | undefined,
    signal: AbortSignal,
  ): Promise<{
    readonly services: readonly { readonly transport: Transport; readonly name: string }[];
    readonly isSure: boolean;
  }> {
    const own = SERVICES.map(({ transport, srv }) => ({ transport, name: `${srv}.${host}` }));
    if (wanted) return { services: own.filter(({ transport }) => transport === wanted), isSure: true };
    const records = await this.#deps.names.naptr(host, signal);
    const named = (records ?? [])
      .filter(({ flags }) => flags.toLowerCase() === "s")
      .sort((one, other) => one.order - other.order || one.preference - other.preference)
      .flatMap(({ service, replacement }) => {
        const known = SERVICES.find(({ naptr }) => naptr === service.toUpperCase());
        return known ? [{ transport: known.transport, name: replacement }] : [];
      });
    return { services: named.length > 0 ? named : own, isSure: records !== undefined };
  }

  async #within<Value>(ms: number, run: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
    const deadline = new AbortController();
    const stop = this.#deps.clock.after(ms, () => deadline.abort());
    try {
      return await run(deadline.signal);
    } finally {
      stop();
    }
  }

  /** RFC 2782: by priority, and within a priority at random by weight. */
  #inOrder<Record extends { readonly priority: number; readonly weight: number }>(
    records: readonly Record[],
  ): readonly Record[] {
    return records
      .map((record) => ({ record, place: this.#deps.random() ** (1 / (record.weight + 0.01)) }))
      .sort((one, other) => one.record.priority - other.record.priority || other.place - one.place)
      .map(({ record }) => record);
  }

  async #addresses(host: string, signal: AbortSignal): Promise<Result<readonly Place[], string>> {
    const found = await this.#allAddresses(host, signal);
    if (!found.ok) return found;
    const places = this.#deps.families.flatMap((family) =>
      found.value.filter((one) => one.family === family).map(({ address }) => ({ address, family })),
    );
    return places.length > 0 ? ok(places) : refused(`The name ${host} has no address that we can reach from ours.`);
  }

  async #allAddresses(host: string, signal: AbortSignal): Promise<Result<readonly LookupAddress[], string>> {
    const literal = isIP(host);
    if (literal !== 0) return ok([{ address: host, family: literal }]);
    if (isLocalhost(host)) return ok(LOOPBACK);
    try {
      return ok(await this.#deps.names.addresses(host, signal));
    } catch (error) {
      return refused((error as Error).message);
    }
  }
}

type Place = Pick<Hop, "address" | "family">;

function keyOf(uri: HopUri): string {
  return `${wantedTransport(uri) ?? ""} ${uri.host}:${uri.port ?? ""}`;
}

function wantedTransport(uri: HopUri): Transport | undefined {
  const named = transportOf(uri as SipUri);
  if (uri.scheme === "sips" || named === "tls") return "TLS";
  return named === "tcp" ? "TCP" : named === "udp" ? "UDP" : undefined;
}

function usualPort(transport: Transport): number {
  return transport === "TLS" ? 5061 : 5060;
}
