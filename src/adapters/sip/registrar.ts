// Takes REGISTER from trunks that register with us, and knows which trunk a flow belongs to.
//
// Guarantees: a sender that has not proven a user by digest learns only that a registrar is here, changes nothing and
// leaves no state. Without trunks that register, no REGISTER is answered.

import type { ContactStore, StoredContact } from "../../domain/voice/registered-contact.ts";
import type { SipMessage } from "../../wire/sip/message.ts";
import type { Binding } from "../../wire/sip/registrar.ts";
import { extensionRefusal } from "../../wire/sip/request-check.ts";
import { type CallerDigest, sendChallenge } from "./caller-digest.ts";
import type { DigestAccount } from "./digest-account.ts";
import { type Flow, peerText } from "./flow.ts";
import { randomText } from "./random-text.ts";
import { isSameFlow } from "./registered-binding.ts";
import { RegisteredTrunk, type RegisteredTrunkDeps } from "./registered-trunk.ts";
import { RegistrationBook } from "./registration-book.ts";
import type { Trunk, Trunks } from "./trunks.ts";

export interface RegistrarDeps extends Omit<RegisteredTrunkDeps, "book" | "onMoved"> {
  readonly trunks: Trunks;
  readonly digest: CallerDigest;
  readonly store?: ContactStore | undefined;
  /** Where we receive UDP. */
  readonly places: () => readonly string[];
}

export class Registrar {
  readonly trunks: readonly RegisteredTrunk[];
  readonly #deps: RegistrarDeps;
  readonly #book: RegistrationBook;
  readonly #accounts: readonly DigestAccount[];
  readonly #byName: ReadonlyMap<string, RegisteredTrunk>;
  readonly #byUser: ReadonlyMap<string, RegisteredTrunk>;
  /** By the peers from which they are registered. */
  readonly #byPeer = new Map<string, Set<Trunk>>();

  constructor(deps: RegistrarDeps) {
    this.#deps = deps;
    this.#book = new RegistrationBook({ ...deps, learn: (contacts, trunks) => this.#learn(contacts, trunks) });
    const onMoved: RegisteredTrunkDeps["onMoved"] = (trunk, from, to) => this.#moved(trunk, from, to);
    const trunkDeps = { ...deps, book: this.#book, onMoved };
    this.trunks = deps.trunks.registrants.map((trunk) => new RegisteredTrunk(trunkDeps, trunk));
    this.#accounts = deps.trunks.registrants.flatMap(({ registrant }) => registrant ?? []);
    this.#byName = new Map(this.trunks.map((one) => [one.trunk.settings.name, one]));
    this.#byUser = new Map(this.trunks.map((one) => [one.trunk.registrant?.username ?? "", one]));
  }

  /** The trunk that is registered from there. */
  trunkOf(flow: Flow): Trunk | undefined {
    const trunks = [...(this.#byPeer.get(keyOf(flow)) ?? [])];
    return trunks.find(({ bindings }) => bindings.some((one) => isSameFlow(one.flow, flow)));
  }

  /** False when no trunk may register. */
  receive(message: SipMessage, flow: Flow): boolean {
    if (this.trunks.length === 0) return false;
    const verdict = this.#deps.digest.check(message, flow.address, this.#accounts);
    if (verdict.kind === "challenge") {
      sendChallenge(message, flow, verdict.lines);
      return true;
    }
    const registered = this.#byUser.get(verdict.username);
    const server = this.#deps.transactions.accept(message, flow);
    const answer = extensionRefusal(message) ?? registered?.receive(message, flow);
    if (answer) server?.respond({ ...answer, toTag: randomText(6) });
    return true;
  }

  /** Learns what is stored. Without trunks that register, nothing is. */
  async load(): Promise<void> {
    if (this.trunks.length > 0) await this.#book.load();
  }

  /** What is stored of the trunk has changed. */
  changed(trunk: string | "all"): void {
    if (trunk === "all" ? this.trunks.length > 0 : this.#byName.has(trunk)) this.#book.reread(trunk);
  }

  /** Stores what is not stored yet. */
  close(): Promise<void> {
    return this.#book.close();
  }

  #moved(trunk: Trunk, from: readonly Binding<Flow>[], to: readonly Binding<Flow>[]): void {
    for (const { flow } of from) {
      const trunks = this.#byPeer.get(keyOf(flow));
      if (trunks?.delete(trunk) && trunks.size === 0) this.#byPeer.delete(keyOf(flow));
    }
    for (const { flow } of to) {
      this.#byPeer.set(keyOf(flow), (this.#byPeer.get(keyOf(flow)) ?? new Set()).add(trunk));
    }
  }

  #learn(contacts: readonly StoredContact[], read: ReadonlySet<string> | "all"): void {
    const byTrunk = new Map<string, StoredContact[]>();
    for (const one of contacts) byTrunk.set(one.trunk, [...(byTrunk.get(one.trunk) ?? []), one]);
    for (const name of read === "all" ? this.#byName.keys() : read) {
      this.#byName.get(name)?.learn(byTrunk.get(name) ?? []);
    }
  }
}

function keyOf(flow: Flow): string {
  return `${flow.transport} ${peerText(flow)}`;
}
