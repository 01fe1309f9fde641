// One bind, kept up for ever: connects, binds, and when it is lost for whatever reason connects again, waiting twice as long after each
// failure. A bind that did not last counts as a failure, so an SMSC that lets us in and throws us out is not stormed.

import { backoffMs } from "../../base/backoff.ts";
import type { BindCommand } from "../../wire/smpp/pdu.ts";
import type { SessionEvent, SessionSettings } from "../../wire/smpp/session-state.ts";
import { statusName } from "../../wire/smpp/statuses.ts";
import { Connection } from "./connection.ts";
import type { LinkSettings } from "./link-settings.ts";

export interface BindTimes {
  readonly connectMsMax: number;
  readonly reconnectMsMin: number;
  readonly reconnectMsMax: number;
}

export interface KeptBindDeps {
  readonly elapsedMs: () => number;
  readonly random: () => number;
  readonly password: () => string;
  readonly times: BindTimes;
  /** Everything the session tells, `ended` included; `connection` is the one it came by. */
  readonly happened: (event: SessionEvent, connection: Connection) => void;
  /** After every change of `phase` or `reason`. */
  readonly changed: () => void;
}

const INTERFACE_VERSION = 0x34;

export class KeptBind {
  readonly #settings: LinkSettings;
  readonly #command: BindCommand;
  readonly #session: SessionSettings;
  readonly #deps: KeptBindDeps;
  #connection: Connection | undefined;
  #boundMs: number | undefined;
  #failures = 0;
  #timer: NodeJS.Timeout | undefined;
  #refusal: string | undefined;
  #onEnded: (() => void) | undefined;
  phase: "down" | "connecting" | "bound" | "closed" = "down";
  reason = "not started";

  constructor(settings: LinkSettings, command: BindCommand, session: SessionSettings, deps: KeptBindDeps) {
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
      report: (event, connection) => this.#heard(event, connection),
    });
    this.#deps.changed();
    this.#connection?.open();
  }

  /** Resolves when the session is over, which it is within its own bounds; takes nothing up again. */
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

  #heard(event: SessionEvent, connection: Connection): void {
    if (event.kind === "bound" && this.phase !== "closed") {
      this.phase = "bound";
      this.reason = `bound to ${event.systemId || this.#settings.host}`;
      this.#boundMs = this.#deps.elapsedMs();
      this.#deps.changed();
    } else if (event.kind === "bindRefused") {
      this.#refusal = `bind refused: ${statusName(event.status)}`;
    } else if (event.kind === "ended") {
      this.reason = this.#refusal ?? event.reason;
      this.#connection = undefined;
      this.#retry();
      this.#deps.happened(event, connection);
      this.#deps.changed();
      this.#onEnded?.();
      return;
    }
    this.#deps.happened(event, connection);
  }

  #retry(): void {
    if (this.phase === "closed") return;
    this.phase = "down";
    const { times, elapsedMs, random } = this.#deps;
    const hasLasted = this.#boundMs !== undefined && elapsedMs() - this.#boundMs >= times.reconnectMsMax;
    this.#failures = hasLasted ? 0 : this.#failures + 1;
    // Half of it by chance: many who lost the same SMSC do not come back at once.
    const backoff = { msMin: times.reconnectMsMin, msMax: times.reconnectMsMax, spread: [0.5, 1] } as const;
    this.#timer = setTimeout(() => this.connect(), backoffMs(backoff, this.#failures, random()));
  }
}
