// The trunks: which one sent a request, and in which order they are tried for a call.

import type { SipUri } from "../../../rules/sip-uri.ts";
import { isInNetwork, type Network, parseAddress, parseNetwork } from "../../base/cidr.ts";
import { forgetOldest } from "../../base/forget-oldest.ts";
import { RecentTimes } from "../../base/recent-times.ts";
import { type EnvironmentLookup, secretOf } from "../../base/secret-text.ts";
import type { StoredContact } from "../../domain/voice/registered-contact.ts";
import type { Binding } from "../../wire/sip/registrar.ts";
import type { DigestAccount } from "./digest-account.ts";
import type { Flow, Hop } from "./flow.ts";
import { TrunkPlaces } from "./trunk-places.ts";
import type { TrunkSettings } from "./trunk-settings.ts";

const JUDGED_MAX = 10_000;

export class Trunk {
  readonly settings: TrunkSettings;
  readonly account: DigestAccount | undefined;
  readonly callers: readonly DigestAccount[];
  /** Who it must be to register with us. */
  readonly registrant: DigestAccount | undefined;
  /** Where it is registered with this process. */
  bindings: readonly Binding<Flow>[] = [];
  /** Where it is registered with others. */
  elsewhere: readonly StoredContact[] = [];
  /** The host as a URI, for the lookup; undefined where the trunk registers with us. */
  readonly uri: Pick<SipUri, "scheme" | "host" | "port" | "parameters"> | undefined;
  /** Where the trunk can be reached. */
  readonly places: TrunkPlaces;
  readonly #networks: readonly Network[];
  readonly #sources: ReadonlySet<string>;
  /** Of its host; they are its sources when none are set. */
  addresses: ReadonlySet<string> = new Set();
  /** Calls in progress. */
  calls = 0;
  /** Calls begun in either direction, noted with a duration of 0. */
  readonly begun = new RecentTimes();
  /** Times from our INVITE to its first answer. */
  readonly answers = new RecentTimes();
  /** When it last went up or down. */
  since: Date | undefined;
  /** A trunk counts as up until it is checked. */
  isUp = true;
  /** Of one that registers with us: whether it answers where it is registered with this process. */
  isUpHere: boolean | undefined;
  reason = "not asked yet";
  isStopped = false;
  /** Ours with the trunk, or the trunk's with us. */
  registration: { readonly isUp: boolean; readonly reason: string } | undefined;
  #second = 0;
  #callsInSecond = 0;

  constructor(settings: TrunkSettings, environment: EnvironmentLookup) {
    this.settings = settings;
    const { host, port, transport, credentials, callers = [], registrar } = settings;
    const accountOf = ({ username, password, realm }: NonNullable<typeof credentials>): DigestAccount => ({
      username,
      password: secretOf(password, environment),
      realm,
    });
    this.account = credentials && accountOf(credentials);
    this.registrant = registrar && accountOf(registrar);
    this.callers = [...callers.map(accountOf), ...(this.registrant ? [this.registrant] : [])];
    this.uri =
      host === undefined
        ? undefined
        : { scheme: "sip", host, port, parameters: transport ? ["transport", transport] : [] };
    const sources = settings.sources ?? (host !== undefined && parseNetwork(host) ? [host] : []);
    this.places = new TrunkPlaces(settings);
    this.#networks = sources.flatMap((source) => parseNetwork(source) ?? []);
    this.#sources = new Set(sources.filter((source) => !parseNetwork(source)).map((source) => source.toLowerCase()));
  }

  /** 2: address and port match; 1: the address does; 0: neither. Connections come from any port. */
  fit(address: string, port: number | undefined): 0 | 1 | 2 {
    const host = address.includes(":") ? `[${address}]` : address;
    if (port === undefined) {
      for (const source of this.#sources) if (source.startsWith(`${host}:`)) return 1;
    } else if (this.#sources.has(`${host}:${port}`)) return 2;
    if (!this.settings.sources && this.addresses.has(address)) return 1;
    const parsed = parseAddress(address);
    return parsed && this.#networks.some((network) => isInNetwork(network, parsed)) ? 1 : 0;
  }

  /** Whether another process reaches it. */
  get isHeldElsewhere(): boolean {
    return this.elsewhere.some(({ holder }) => holder === "another");
  }

  /** Whether only other processes reach it. */
  get isElsewhere(): boolean {
    return this.isUpHere === false && this.isHeldElsewhere;
  }

  get hasCapacity(): boolean {
    return this.settings.maxCalls === undefined || this.calls < this.settings.maxCalls;
  }

  /** Counts a new call of the trunk; false when it exceeds its rate. */
  mayCall(nowMs: number): boolean {
    const { maxCallsPerSecond } = this.settings;
    if (maxCallsPerSecond === undefined) return true;
    // A rate below one a second is counted over a longer time.
    const span = Math.max(1, 1 / maxCallsPerSecond) * 1000;
    const second = Math.floor(nowMs / span);
    if (second !== this.#second) [this.#second, this.#callsInSecond] = [second, 0];
    return ++this.#callsInSecond <= Math.max(1, maxCallsPerSecond);
  }
}

export class Trunks {
  readonly all: readonly Trunk[];
  readonly #judged = new Map<string, Trunk | null>();

  constructor(settings: readonly TrunkSettings[], environment: EnvironmentLookup) {
    this.all = settings.map((one) => new Trunk(one, environment));
  }

  /** The trunk with this source; a match of address and port wins over the address alone. */
  ofSource(address: string, port: number | undefined): Trunk | undefined {
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

  /** Whether the hop leads to a trunk. */
  hold(hop: Hop): boolean {
    return this.all.some(({ places }) => places.holds(hop));
  }

  /** Call it when the addresses of a trunk's host have changed. */
  forgetSources(): void {
    this.#judged.clear();
  }

  /** Trunks that are identified by digest, from any address. */
  get roaming(): readonly Trunk[] {
    return this.all.filter(({ settings, callers }) => callers.length > 0 && !settings.sources);
  }

  /** Trunks that register with us. */
  get registrants(): readonly Trunk[] {
    return this.all.filter(({ registrant }) => registrant !== undefined);
  }

  named(name: string): Trunk | undefined {
    return this.all.find(({ settings }) => settings.name === name);
  }

  /** Healthy trunks first, then by priority; unhealthy ones, and those that only others reach, are tried last. */
  inOrder(): readonly Trunk[] {
    const isFit = ({ isUp, isUpHere = isUp }: Trunk) => Number(isUpHere);
    return this.#callable.sort(
      (one, other) => isFit(other) - isFit(one) || one.settings.priority - other.settings.priority,
    );
  }

  /** Whether the best trunk is one that only another process reaches. */
  get isBestElsewhere(): boolean {
    let best: Trunk | undefined;
    for (const trunk of this.#callable) {
      if (!trunk.isUp || (best && best.settings.priority <= trunk.settings.priority)) continue;
      best = trunk;
    }
    return best?.isElsewhere === true;
  }

  get #callable(): Trunk[] {
    return this.all.filter(({ settings, isStopped, hasCapacity }) => settings.outbound && !isStopped && hasCapacity);
  }
}
