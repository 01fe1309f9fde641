// Watches one trunk: checks its health by OPTIONS, registers with it if configured, and looks up the addresses of its
// host, which are its sources when none are set.

import { hostText } from "../../../rules/sip-uri.ts";
import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import {
  newRegistration,
  type Registration,
  type RegistrationInput,
  stepRegistration,
} from "../../wire/sip/registration.ts";
import type { RequestDraft } from "../../wire/sip/write.ts";
import { answerChallenge } from "./digest-account.ts";
import type { Flow, Hop } from "./flow.ts";
import { contactOn } from "./invite.ts";
import type { Locator } from "./locator.ts";
import { randomText } from "./random-text.ts";
import type { Transactions } from "./transactions.ts";
import { askHealth, judgeTrunk } from "./trunk-health.ts";
import type { Trunk } from "./trunks.ts";

export interface TrunkWatchDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly transactions: Transactions;
  readonly locator: Locator;
  readonly flowTo: (hop: Hop, source: number, tls: Trunk["settings"]["tls"]) => Flow | undefined;
  /** The addresses of the trunk's host have changed. */
  readonly onAddresses: () => void;
}

const RESOLVE_MS = 60_000;
/** How soon an unresolvable host is looked up again. */
const RESOLVE_AGAIN_MS = 5000;
const LEAVE_MS = 1000;

export class TrunkWatch {
  readonly #deps: TrunkWatchDeps;
  readonly #trunk: Trunk;
  readonly #uri: NonNullable<Trunk["uri"]>;
  readonly #stops = new Set<() => void>();
  #hops: readonly Hop[] = [];
  /** Which of the host's addresses the registration uses. */
  #hop = 0;
  #registration: Registration | undefined;
  #isAsking = false;
  #stopAsking: (() => void) | undefined;
  #isClosed = false;
  #onGone: (() => void) | undefined;

  constructor(deps: TrunkWatchDeps, trunk: Trunk, uri: NonNullable<Trunk["uri"]>) {
    this.#deps = deps;
    this.#trunk = trunk;
    this.#uri = uri;
    trunk.since = deps.clock.now();
    const { register, credentials } = trunk.settings;
    if (register && credentials) {
      const domain = this.#domain;
      this.#registration = newRegistration({
        registrar: `sip:${domain}`,
        address: `sip:${register.user ?? credentials.username}@${domain}`,
        callId: randomText(12),
        tag: randomText(8),
        expiresSeconds: register.expiresSeconds,
      });
      trunk.registration = { isUp: false, reason: "not registered yet" };
    }
  }

  /** Resolves when the host was looked up for the first time. */
  async start(): Promise<void> {
    await this.#resolve();
    if (this.#isWatched) this.#ask();
    this.#register();
  }

  /** A call got no answer: checks the trunk immediately, or shows the reason where it is never checked. */
  suspect(reason: string): void {
    if (this.#isWatched) this.#ask();
    else this.#trunk.reason = reason;
  }

  get #domain(): string {
    return hostText(this.#trunk.settings.domain ?? this.#uri.host);
  }

  get #isWatched(): boolean {
    const { optionsSeconds, outbound } = this.#trunk.settings;
    return outbound && optionsSeconds > 0;
  }

  /** Unregisters; waits up to a second for the registrar. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const stop of this.#stops) stop();
    this.#stepRegistration({ kind: "leave", nowMs: this.#deps.clock.elapsedMs() });
    if (this.#registration?.phase !== "leaving") return;
    await new Promise<void>((resolve) => {
      this.#onGone = resolve;
      this.#deps.clock.after(LEAVE_MS, resolve);
    });
  }

  #after(ms: number, run: () => void): () => void {
    const stop = this.#deps.clock.after(ms, () => {
      this.#stops.delete(stop);
      if (!this.#isClosed) run();
    });
    this.#stops.add(stop);
    return stop;
  }

  async #resolve(): Promise<void> {
    const hops = await this.#deps.locator.locate(this.#uri);
    if (this.#isClosed) return;
    if (hops.length > 0) {
      this.#hops = hops;
      this.#trunk.addresses = new Set(hops.map(({ address }) => address));
      this.#trunk.places.learn(hops);
      this.#deps.onAddresses();
    }
    this.#after(hops.length > 0 ? RESOLVE_MS : RESOLVE_AGAIN_MS, () => void this.#resolve());
  }

  #ask(): void {
    if (this.#isAsking || this.#isClosed) return;
    this.#stopAsking?.();
    const flow = this.#flow(0);
    if (!flow) {
      const { locator } = this.#deps;
      this.#judge(false, this.#hops.length === 0 ? locator.faultOf(this.#uri) : "none of our addresses fits");
      this.#askLater();
      return;
    }
    this.#isAsking = true;
    const done = (isUp: boolean, reason: string) => {
      this.#isAsking = false;
      this.#judge(isUp, reason);
      this.#askLater();
    };
    askHealth(this.#deps.transactions, flow, `sip:${this.#domain}`, done);
  }

  #askLater(): void {
    if (this.#isClosed) return;
    this.#stopAsking = this.#after(this.#trunk.settings.optionsSeconds * 1000, () => this.#ask());
  }

  #judge(isUp: boolean, reason: string): void {
    judgeTrunk(this.#deps, this.#trunk, isUp, reason);
  }

  #flow(hop: number): Flow | undefined {
    const chosen = this.#hops[hop % Math.max(1, this.#hops.length)];
    return chosen && this.#deps.flowTo(chosen, 0, this.#trunk.settings.tls);
  }

  #register(): void {
    if (!this.#registration) return;
    const nowMs = this.#deps.clock.elapsedMs();
    const flow = this.#flow(this.#hop);
    if (flow) this.#stepRegistration({ kind: "tick", contact: this.#contactOn(flow), nowMs });
    const dueMs = flow ? this.#registration.dueMs : nowMs + RESOLVE_AGAIN_MS;
    if (Number.isFinite(dueMs)) this.#after(Math.max(100, dueMs - nowMs), () => this.#register());
  }

  /** With the registered user, by which some registrars distinguish accounts. */
  #contactOn(flow: Flow): string {
    const { register, credentials } = this.#trunk.settings;
    return contactOn(flow).replace("<sip:", `<sip:${register?.user ?? credentials?.username ?? ""}@`);
  }

  #stepRegistration(input: RegistrationInput): void {
    if (!this.#registration) return;
    const [state, commands] = stepRegistration(this.#registration, input);
    this.#registration = state;
    if (state.phase === "gone") this.#onGone?.();
    for (const command of commands) {
      if (command.kind === "send") this.#send(command.draft);
      else this.#registered(command.isUp, command.reason);
    }
  }

  #send(draft: RequestDraft): void {
    const flow = this.#flow(this.#hop);
    if (!flow) return;
    this.#deps.transactions.request(draft, flow, {
      onResponse: (message) => {
        const line = answerChallenge(this.#trunk.account, message, draft);
        const nowMs = this.#deps.clock.elapsedMs();
        if (line === undefined) this.#stepRegistration({ kind: "response", message, nowMs });
        else this.#stepRegistration({ kind: "authorize", line, nowMs });
      },
      onUnanswered: (status) =>
        this.#stepRegistration({ kind: "unanswered", status, nowMs: this.#deps.clock.elapsedMs() }),
    });
  }

  #registered(isUp: boolean, reason: string): void {
    const trunk = this.#trunk;
    if (trunk.registration?.isUp !== isUp) {
      this.#deps.log[isUp ? "info" : "warn"](
        { trunk: trunk.settings.name, reason },
        isUp ? "registered with the trunk" : "the trunk did not take the registration",
      );
    }
    trunk.registration = { isUp, reason };
    // The next address of the host may be alive.
    if (!isUp) this.#hop++;
    const waitMs = (this.#registration?.dueMs ?? 0) - this.#deps.clock.elapsedMs();
    this.#after(Math.max(100, waitMs), () => this.#register());
  }
}
