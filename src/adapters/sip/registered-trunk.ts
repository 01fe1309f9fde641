// A trunk that registers with us: where it is registered, and whether it answers there.
//
// Guarantees: a binding ends when its time is over, when its connection is gone, or when the trunk says so. One that
// gives no answer to OPTIONS stays, and counts as down until it answers or registers again. Bindings are in memory:
// after a restart the trunk is reached again when it has registered again, which the longest expiry bounds.

import { requestUriOf } from "../../../rules/sip-uri.ts";
import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import type { SipMessage } from "../../wire/sip/message.ts";
import { type Binding, register } from "../../wire/sip/registrar.ts";
import type { ResponseDraft } from "../../wire/sip/write.ts";
import { type Flow, type Hop, peerText } from "./flow.ts";
import type { Transactions } from "./transactions.ts";
import { askHealth, judgeTrunk } from "./trunk-health.ts";
import type { Trunk } from "./trunks.ts";

export interface RegisteredTrunkDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly transactions: Transactions;
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
    trunk.reason = "not registered";
    trunk.since = deps.clock.now();
    trunk.registration = { isUp: false, reason: NOWHERE };
  }

  start(): void {
    this.#askLater();
  }

  /** A REGISTER that has proven who sends it. */
  receive(message: SipMessage, flow: Flow): ResponseDraft {
    const { registrar, transport } = this.trunk.settings;
    if (!registrar || (transport !== undefined && transport.toUpperCase() !== flow.transport)) return { status: 403 };
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
    this.#take(bindings);
    return { status, lines };
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

  #settle(): void {
    const nowMs = this.#deps.clock.elapsedMs();
    this.#take(this.trunk.bindings.filter(({ untilMs, flow }) => untilMs > nowMs && flow.isOpen()));
  }

  #take(bindings: readonly Binding<Flow>[]): void {
    const { trunk } = this;
    trunk.bindings = bindings;
    for (const flow of [...this.#silent.keys()]) {
      if (!bindings.some((one) => one.flow === flow)) this.#silent.delete(flow);
    }
    const isRegistered = bindings.length > 0;
    if (trunk.registration?.isUp !== isRegistered) {
      const fields = { trunk: trunk.settings.name };
      if (isRegistered) this.#deps.log.info(fields, "a trunk has registered");
      else this.#deps.log.warn(fields, "a trunk is not registered any more");
    }
    trunk.registration = { isUp: isRegistered, reason: this.#told(bindings) };
    this.#judge();
    this.#expireLater();
  }

  #told(bindings: readonly Binding<Flow>[]): string {
    const nowMs = this.#deps.clock.elapsedMs();
    const places = bindings.map(({ text, flow, untilMs }) => {
      const until = new Date(this.#deps.clock.now().getTime() + untilMs - nowMs).toISOString();
      return `${text} from ${peerText(flow)} by ${flow.transport} until ${until}`;
    });
    return places.join("; ") || NOWHERE;
  }

  #judge(): void {
    const { bindings } = this.trunk;
    const isUp = bindings.some(({ flow }) => !this.#silent.has(flow));
    const silence = [...this.#silent.values()].join("; ");
    const reason = bindings.length === 0 ? "not registered" : isUp ? "registered" : silence;
    judgeTrunk(this.#deps, this.trunk, isUp, reason);
  }

  #expireLater(): void {
    this.#stopExpiry?.();
    const nextMs = Math.min(...this.trunk.bindings.map(({ untilMs }) => untilMs));
    if (this.#isClosed || !Number.isFinite(nextMs)) return;
    const waitMs = Math.max(0, Math.ceil(nextMs - this.#deps.clock.elapsedMs()));
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
