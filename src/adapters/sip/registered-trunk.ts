// A trunk that registers with us: where it is registered, here and with other processes, and whether it answers here.
//
// Guarantees: a binding ends when its time is over, when its connection is gone, or when the trunk says so. One that
// gives no answer to OPTIONS stays, and counts as down until it answers or registers again. Each process has its own
// bindings; it knows those of others, and takes over those that were registered at its place with one that has ended.

import { requestUriOf } from "../../../rules/sip-uri.ts";
import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import type { RegisteredContact, StoredContact } from "../../domain/voice/registered-contact.ts";
import type { SipMessage } from "../../wire/sip/message.ts";
import { type Binding, register } from "../../wire/sip/registrar.ts";
import type { ResponseDraft } from "../../wire/sip/write.ts";
import type { Flow, Hop } from "./flow.ts";
import { bindingOf, contactOf, isRefreshed, shownContact, shownElsewhere } from "./registered-binding.ts";
import type { RegistrationBook } from "./registration-book.ts";
import type { Transactions } from "./transactions.ts";
import { askHealth, judgeTrunk } from "./trunk-health.ts";
import type { Trunk } from "./trunks.ts";

export interface RegisteredTrunkDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly transactions: Transactions;
  readonly book: RegistrationBook;
  /** Over UDP from the place where the contact registered; undefined: that is not ours. */
  readonly flowAt: (contact: RegisteredContact) => Flow | undefined;
  /** It is registered with this process from other flows. */
  readonly onMoved: (trunk: Trunk, from: readonly Binding<Flow>[], to: readonly Binding<Flow>[]) => void;
}

const SECONDS_MIN = 30;
const NOWHERE = "it has no contact here";

export class RegisteredTrunk {
  readonly trunk: Trunk;
  readonly #deps: RegisteredTrunkDeps;
  /** Those that gave no answer. */
  readonly #silent = new Map<Flow, string>();
  readonly #asked = new Set<Flow>();
  #stopExpiry: (() => void) | undefined;
  #stopAsking: (() => void) | undefined;
  #isClosed = false;

  constructor(deps: RegisteredTrunkDeps, trunk: Trunk) {
    this.#deps = deps;
    this.trunk = trunk;
    trunk.isUp = false;
    trunk.isUpHere = false;
    trunk.reason = "not registered";
    trunk.since = deps.clock.now();
    trunk.registration = { isUp: false, reason: NOWHERE };
  }

  start(): void {
    this.#askLater();
  }

  /** A REGISTER that has proven who sends it. */
  receive(message: SipMessage, flow: Flow): ResponseDraft {
    const { registrar } = this.trunk.settings;
    if (!registrar || !this.#mayUse(flow)) return { status: 403 };
    const terms = {
      contactsMax: registrar.maxContacts,
      secondsMin: SECONDS_MIN,
      secondsMax: registrar.maxExpiresSeconds,
    };
    const nowMs = this.#deps.clock.elapsedMs();
    const { bindings, status, lines } = register(this.trunk.bindings, message, { flow, nowMs }, terms);
    if (status !== 200) return { status, lines };
    this.#silent.delete(flow);
    if (bindings.some((one) => one.flow === flow)) this.#welcome(flow);
    this.#share(bindings);
    this.#take(bindings);
    return { status, lines };
  }

  /** What is stored of this trunk. */
  learn(contacts: readonly StoredContact[]): void {
    const { bindings } = this.trunk;
    const ours = contacts.filter(({ holder }) => holder === "us");
    this.trunk.elsewhere = contacts.filter(({ holder }) => holder !== "us");
    for (const one of bindings) if (!ours.some(({ uri }) => uri === one.text)) this.#storeAgain(one);
    this.#take([...bindings, ...this.#adopted(ours.filter(({ uri }) => !bindings.some(({ text }) => text === uri)))]);
  }

  /** A call got no answer. */
  suspect(): void {
    this.#ask();
  }

  close(): void {
    this.#isClosed = true;
    this.#stopExpiry?.();
    this.#stopAsking?.();
  }

  #welcome(flow: Flow): void {
    this.trunk.places.learn([hopOf(flow)]);
    if (this.trunk.bindings.some((one) => one.flow === flow)) return;
    flow.welcome?.();
    flow.onClosed?.(() => this.#settle());
  }

  /** Ends what has ended. */
  #settle(): void {
    if (this.#isClosed) return;
    const { clock } = this.#deps;
    const nowMs = clock.elapsedMs();
    const open = this.trunk.bindings.filter(({ untilMs, flow }) => untilMs > nowMs && flow.isOpen());
    this.trunk.elsewhere = this.trunk.elsewhere.filter(({ expiresOn }) => expiresOn > clock.now());
    this.#share(open);
    this.#take(open);
  }

  /** Before they are taken. */
  #share(bindings: readonly Binding<Flow>[]): void {
    const { book, clock } = this.#deps;
    const { bindings: before, settings } = this.trunk;
    for (const one of bindings) {
      if (before.includes(one)) continue;
      book.bind(contactOf(settings.name, one, clock), !before.some((other) => isRefreshed(other, one)));
    }
    for (const one of before) {
      const isKept = bindings.some(({ text, flow }) => text === one.text && flow.sentBy === one.flow.sentBy);
      if (!isKept) book.unbind(contactOf(settings.name, one, clock));
    }
  }

  /** Others have taken this process for dead. */
  #storeAgain(binding: Binding<Flow>): void {
    const { book, clock } = this.#deps;
    const contact = contactOf(this.trunk.settings.name, binding, clock);
    if (book.isStored(contact)) book.bind(contact, true);
  }

  /** The terms are those of now: the contacts may have been stored under others, before a restart. */
  #adopted(contacts: readonly StoredContact[]): readonly Binding<Flow>[] {
    const { book } = this.#deps;
    const { registrar } = this.trunk.settings;
    const unknown = contacts.filter((one) => !book.has(one));
    const usable = unknown
      .filter((one) => one.transport === "UDP" && this.#mayUse(one))
      .sort((one, other) => other.expiresOn.getTime() - one.expiresOn.getTime())
      .slice(0, Math.max(0, (registrar?.maxContacts ?? 0) - this.trunk.bindings.length));
    for (const one of unknown) if (!usable.includes(one)) book.unbind(one);
    return usable.flatMap((one) => this.#adoptedOne(one) ?? []);
  }

  #adoptedOne(contact: StoredContact): Binding<Flow> | undefined {
    const { book, flowAt, clock } = this.#deps;
    const flow = flowAt(contact);
    const binding = flow && bindingOf(contact, flow, clock);
    if (!binding) return undefined;
    book.know(contact);
    this.#welcome(binding.flow);
    return binding;
  }

  #mayUse({ transport }: Pick<Flow, "transport">): boolean {
    const wanted = this.trunk.settings.transport;
    return wanted === undefined || wanted.toUpperCase() === transport;
  }

  #take(bindings: readonly Binding<Flow>[]): void {
    const { trunk } = this;
    this.#deps.onMoved(trunk, trunk.bindings, bindings);
    trunk.bindings = bindings;
    for (const flow of [...this.#silent.keys()]) {
      if (!bindings.some((one) => one.flow === flow)) this.#silent.delete(flow);
    }
    const isRegistered = bindings.length > 0 || trunk.isHeldElsewhere;
    if (trunk.registration?.isUp !== isRegistered) {
      const fields = { trunk: trunk.settings.name };
      if (isRegistered) this.#deps.log.info(fields, "a trunk has registered");
      else this.#deps.log.warn(fields, "a trunk is not registered any more");
    }
    trunk.registration = { isUp: isRegistered, reason: this.#told() };
    this.#judge();
    this.#expireLater();
  }

  #told(): string {
    const { bindings, elsewhere, settings } = this.trunk;
    const here = bindings.map((one) => shownContact(contactOf(settings.name, one, this.#deps.clock)));
    return [...here, ...elsewhere.map(shownElsewhere)].join("; ") || NOWHERE;
  }

  #judge(): void {
    const { trunk } = this;
    trunk.isUpHere = trunk.bindings.some(({ flow }) => !this.#silent.has(flow));
    const silence = [...this.#silent.values()].join("; ");
    const held = trunk.elsewhere.find(({ holder }) => holder === "another");
    const others = held ? `registered with the server at ${held.place}` : silence || "not registered";
    judgeTrunk(this.#deps, trunk, trunk.isUpHere || held !== undefined, trunk.isUpHere ? "registered" : others);
  }

  #expireLater(): void {
    this.#stopExpiry?.();
    const { clock } = this.#deps;
    const { bindings, elsewhere } = this.trunk;
    const [nowMs, now] = [clock.elapsedMs(), clock.now().getTime()];
    const waits = [
      ...bindings.map(({ untilMs }) => untilMs - nowMs),
      ...elsewhere.map(({ expiresOn }) => expiresOn.getTime() - now),
    ];
    const nextMs = Math.min(...waits);
    if (this.#isClosed || !Number.isFinite(nextMs)) return;
    const waitMs = Math.max(0, Math.ceil(nextMs));
    this.#stopExpiry = this.#deps.clock.after(waitMs, () => this.#settle());
  }

  /** Also keeps the way through a NAT open. */
  #askLater(): void {
    const { optionsSeconds } = this.trunk.settings;
    if (optionsSeconds === 0 || this.#isClosed) return;
    this.#stopAsking = this.#deps.clock.after(optionsSeconds * 1000, () => {
      this.#ask();
      this.#askLater();
    });
  }

  #ask(): void {
    for (const { uri, flow } of this.trunk.bindings) {
      if (this.#asked.has(flow) || this.#isClosed) continue;
      this.#asked.add(flow);
      askHealth(this.#deps.transactions, flow, requestUriOf(uri), (isUp, reason) => {
        this.#asked.delete(flow);
        if (this.#isClosed || !this.trunk.bindings.some((one) => one.flow === flow)) return;
        if (isUp) this.#silent.delete(flow);
        else this.#silent.set(flow, reason);
        this.#judge();
      });
    }
  }
}

/** The registered peer as a destination. */
export function hopOf({ transport, address, port, family }: Flow): Hop {
  return { transport, address, port, family, servername: address, server: address };
}
