// One bind that is kept up: connects, binds, and connects again whenever the session is lost, waiting twice as long
// after each failure. A bind that did not last counts as a failure, so an SMSC that accepts binds and drops them
// immediately is not flooded with attempts.

import { backoffMs } from "../../base/backoff.ts";
import type { BindCommand } from "../../wire/smpp/pdu.ts";
import type { SessionEvent, SessionSettings } from "../../wire/smpp/session-state.ts";
import { statusName } from "../../wire/smpp/statuses.ts";
import { Connection, type ConnectionTap } from "./connection.ts";
import type { LinkSettings } from "./link-settings.ts";

export interface BindTimes {
  readonly connectMsMax: number;
  readonly reconnectMsMin: number;
  readonly reconnectMsMax: number;
}

export interface PersistentBindDeps {
  readonly elapsedMs: () => number;
  readonly random: () => number;
  readonly password: () => string;
  readonly times: BindTimes;
  /** Called with every event of the session, `ended` included. */
  readonly onEvent: (event: SessionEvent, connection: Connection) => void;
  /** After every change of `phase` or `reason`. */
  readonly onChange: () => void;
  readonly tap?: ConnectionTap | undefined;
}

const INTERFACE_VERSION = 0x34;

export class PersistentBind {
  readonly #settings: LinkSettings;
  readonly #command: BindCommand;
  readonly #session: SessionSettings;
  readonly #deps: PersistentBindDeps;
  #connection: Connection | undefined;
  #boundMs: number | undefined;
  #failures = 0;
  #timer: NodeJS.Timeout | undefined;
  #refusal: string | undefined;
  #onEnded: (() => void) | undefined;
  phase: "down" | "connecting" | "bound" | "closed" = "down";
  reason = "not started";

  constructor(settings: LinkSettings, command: BindCommand, session: SessionSettings, deps: PersistentBindDeps) {
    this.#settings = settings;
    this.#command = command;
    this.#session = session;
    this.#deps = deps;
  }

  /** Set while it is bound. */
  get connection(): Connection | undefined {
    return this.phase === "bound" ? this.#connection : undefined;
  }

  connect(): void {
    if (this.phase === "closed") return;
    this.phase = "connecting";
    this.#refusal = undefined;
    this.#boundMs = undefined;
    const { elapsedMs, times } = this.#deps;
    const { systemId, systemType } = this.#settings;
    this.#connection = new Connection({
      target: this.#settings,
      bind: {
        command: this.#command,
        systemId,
        password: this.#deps.password(),
        systemType,
        interfaceVersion: INTERFACE_VERSION,
        addrTon: 0,
        addrNpi: 0,
        addressRange: "",
      },
      session: this.#session,
      connectMsMax: times.connectMsMax,
      elapsedMs,
      tap: this.#deps.tap,
      report: (event, connection) => this.#onEvent(event, connection),
    });
    this.#deps.onChange();
    this.#connection?.open();
  }

  /** Resolves when the session has ended, which its own timeouts bound. Does not reconnect. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    const connection = this.#connection;
    const isOpen = this.phase === "connecting" || this.phase === "bound";
    this.phase = "closed";
    if (!isOpen || !connection) return;
    await new Promise<void>((resolve) => {
      this.#onEnded = resolve;
      connection.unbind();
    });
  }

  #onEvent(event: SessionEvent, connection: Connection): void {
    if (event.kind === "bound" && this.phase !== "closed") {
      this.phase = "bound";
      this.reason = `bound to ${event.systemId || this.#settings.host}`;
      this.#boundMs = this.#deps.elapsedMs();
      this.#deps.onChange();
    } else if (event.kind === "bindRefused") {
      this.#refusal = `bind refused: ${statusName(event.status)}`;
    } else if (event.kind === "ended") {
      this.reason = this.#refusal ?? event.reason;
      this.#connection = undefined;
      this.#retry();
      this.#deps.onEvent(event, connection);
      this.#deps.onChange();
      this.#onEnded?.();
      return;
    }
    this.#deps.onEvent(event, connection);
  }

  #retry(): void {
    if (this.phase === "closed") return;
    this.phase = "down";
    const { times, elapsedMs, random } = this.#deps;
    const hasLasted = this.#boundMs !== undefined && elapsedMs() - this.#boundMs >= times.reconnectMsMax;
    this.#failures = hasLasted ? 0 : this.#failures + 1;
    // Half of the wait is random, so that clients that lost the same SMSC do not reconnect at the same moment.
    const backoff = { msMin: times.reconnectMsMin, msMax: times.reconnectMsMax, spread: [0.5, 1] } as const;
    this.#timer = setTimeout(() => this.connect(), backoffMs(backoff, this.#failures, random()));
  }
}
