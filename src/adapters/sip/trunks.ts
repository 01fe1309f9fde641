// The trunks: which one sent a request, and in which order they are tried for a call.

import { isInNetwork, type Network, parseAddress, parseNetwork } from "../../base/cidr.ts";
import { forgetOldest } from "../../base/forget-oldest.ts";
import { type EnvironmentLookup, secretOf } from "../../base/secret-text.ts";
import type { SipUri } from "../../wire/sip/uri.ts";
import type { DigestAccount } from "./digest-account.ts";
import type { TrunkSettings } from "./trunk-settings.ts";

const JUDGED_MAX = 10_000;

export class Trunk {
  readonly settings: TrunkSettings;
  readonly account: DigestAccount | undefined;
  readonly callers: readonly DigestAccount[];
  /** The host as a URI, for the lookup. */
  readonly uri: Pick<SipUri, "scheme" | "host" | "port" | "parameters">;
  readonly #networks: readonly Network[];
  readonly #places: ReadonlySet<string>;
  /** Calls in progress. */
  calls = 0;
  isUp = true;
  isStopped = false;

  constructor(settings: TrunkSettings, environment: EnvironmentLookup) {
    this.settings = settings;
    const accountOf = ({ username, password, realm }: NonNullable<TrunkSettings["credentials"]>): DigestAccount => ({
      username,
      password: secretOf(password, environment),
      realm,
    });
    this.account = settings.credentials && accountOf(settings.credentials);
    this.callers = settings.callers?.map(accountOf) ?? [];
    const { host, port, transport } = settings;
    this.uri = { scheme: "sip", host, port, parameters: transport ? ["transport", transport] : [] };
    const sources = settings.sources ?? (parseNetwork(host) ? [host] : []);
    this.#networks = sources.flatMap((source) => parseNetwork(source) ?? []);
    this.#places = new Set(sources.filter((source) => !parseNetwork(source)).map((source) => source.toLowerCase()));
  }

  /** 2: address and port are named; 1: the address is; 0: neither. */
  fit(address: string, port: number): 0 | 1 | 2 {
    const place = address.includes(":") ? `[${address}]:${port}` : `${address}:${port}`;
    if (this.#places.has(place)) return 2;
    const parsed = parseAddress(address);
    return parsed && this.#networks.some((network) => isInNetwork(network, parsed)) ? 1 : 0;
  }

  get hasRoom(): boolean {
    return this.settings.maxCalls === undefined || this.calls < this.settings.maxCalls;
  }
}

export class Trunks {
  readonly all: readonly Trunk[];
  readonly #judged = new Map<string, Trunk | null>();

  constructor(settings: readonly TrunkSettings[], environment: EnvironmentLookup) {
    this.all = settings.map((one) => new Trunk(one, environment));
  }

  /** The trunk that sends from there; an address with its port comes before an address alone. */
  ofSource(address: string, port: number): Trunk | undefined {
    const key = `${address} ${port}`;
    const judged = this.#judged.get(key);
    if (judged !== undefined) return judged ?? undefined;
    let best: Trunk | undefined;
    let bestFit = 0;
    for (const trunk of this.all) {
      const fit = trunk.fit(address, port);
      if (fit > bestFit) [best, bestFit] = [trunk, fit];
    }
    this.#judged.set(key, best ?? null);
    forgetOldest(this.#judged, JUDGED_MAX);
    return best;
  }

  named(name: string): Trunk | undefined {
    return this.all.find(({ settings }) => settings.name === name);
  }

  /** Those that answer before those that do not, and by priority; the unhealthy are tried last. */
  inOrder(): readonly Trunk[] {
    return this.all
      .filter(({ settings, isStopped, hasRoom }) => settings.outbound && !isStopped && hasRoom)
      .sort((one, other) => Number(other.isUp) - Number(one.isUp) || one.settings.priority - other.settings.priority);
  }
}
