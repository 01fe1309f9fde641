// Stores the record of one call with its events, in order, one write at a time; changes made until the store begins a
// write are part of it, later ones go into the next. A write that fails because the store is unreachable is retried
// until it succeeds.

import { backoffMs } from "../../base/backoff.ts";
import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import type { NewEvent } from "../events.ts";
import type { Call } from "./call.ts";
import { statusEvent, streamEvent } from "./call-events.ts";
import type { CallCommand } from "./call-state.ts";
import type { CallChange, CallLedger, CallScope, CallTrailStep, Forwarding, ToldStream } from "./ports.ts";

export interface CallWriterDeps {
  readonly ledger: Pick<CallLedger, "save">;
  readonly clock: Clock;
  readonly log: Log;
  readonly call: () => Call;
  readonly forwarding: () => Forwarding | null;
  /** The call belongs to another process now. */
  readonly lost: () => void;
}

const BACKOFF = { msMin: 100, msMax: 5_000 };

export class CallWriter {
  readonly #deps: CallWriterDeps;
  readonly #scope: Omit<CallScope, "eventsTold">;
  readonly #dialogs = new Map<string, string>();
  #events: NewEvent[] = [];
  #steps: CallTrailStep[] = [];
  #eventsTold: number;
  #isDirty = false;
  #isHeld = false;
  #writing: Promise<void> | undefined;
  /** The write that took the last change. */
  #taking: Promise<boolean> | undefined;

  constructor(deps: CallWriterDeps, { eventsTold, ...scope }: CallScope) {
    this.#deps = deps;
    this.#scope = scope;
    this.#eventsTold = eventsTold;
  }

  note(step: CallTrailStep["step"], details: CallTrailStep["details"]): void {
    this.#steps.push({ at: this.#deps.clock.now(), step, details });
  }

  tellStream(told: ToldStream): void {
    this.#events.push(streamEvent(this.#deps.call(), this.#scope, told));
  }

  keepDialog(legSid: string, dialog: string): void {
    this.#dialogs.set(legSid, dialog);
    this.store();
  }

  /** Collects the events and trail steps of these commands; `store` or `save` writes them. */
  collect(commands: readonly CallCommand[]): void {
    for (const command of commands) {
      if (command.do === "note") this.note(command.step, command.details);
      if (command.do !== "tell") continue;
      const told = { ...command, sequence: ++this.#eventsTold };
      this.#events.push(statusEvent(this.#deps.call(), this.#scope, told));
    }
  }

  store(): void {
    this.#isDirty = true;
    this.#begin();
  }

  /** Nothing is written until `release`: a Completed record is the last one, so it waits until all is known. */
  hold(): void {
    this.#isHeld = true;
  }

  release(): void {
    this.#isHeld = false;
    this.store();
  }

  /** Resolves when what has happened so far is stored. */
  async stored(): Promise<void> {
    while (this.#writing) await this.#writing;
  }

  /** One attempt, or that of a write that has taken the change; false when the call belongs to another process. */
  async save(): Promise<boolean> {
    this.#isDirty = true;
    let taken: CallChange | undefined;
    let other: Promise<boolean> | undefined;
    let saved: Promise<boolean> | undefined;
    saved = this.#deps.ledger.save(() => {
      taken = this.#take();
      if (!taken) other = this.#taking;
      else if (saved) this.#taking = saved;
      return taken;
    });
    // A ledger may take the change before it returns.
    if (taken) this.#taking = saved;
    try {
      return (await saved) && (await (other ?? true));
    } catch (fault) {
      if (taken) {
        this.#events = [...taken.events, ...this.#events];
        this.#steps = [...taken.steps, ...this.#steps];
      }
      throw fault;
    }
  }

  /** Undefined when another write has taken it, or when the record is being completed and must not be stored yet. */
  #take(): CallChange | undefined {
    if (this.#isHeld || !this.#isDirty) return undefined;
    const events = this.#events;
    const steps = this.#steps;
    this.#isDirty = false;
    this.#events = [];
    this.#steps = [];
    return {
      call: this.#deps.call(),
      scope: { ...this.#scope, eventsTold: this.#eventsTold },
      forwarding: this.#deps.forwarding(),
      events,
      steps,
      dialogs: this.#dialogs,
    };
  }

  #begin(): void {
    if (this.#isHeld || !this.#isDirty) return;
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined;
      this.#begin();
    });
  }

  async #write(): Promise<void> {
    for (let failures = 0; this.#isDirty && !this.#isHeld; ) {
      try {
        const isOurs = await this.save();
        if (!isOurs) {
          this.#isHeld = true;
          return this.#deps.lost();
        }
        failures = 0;
      } catch (fault) {
        this.#isDirty = true;
        failures += 1;
        const { clock, log, call } = this.#deps;
        log.warn({ callSid: call().sid, reason: (fault as Error).message }, "call not stored yet");
        await new Promise<void>((resolve) => void clock.after(backoffMs(BACKOFF, failures), resolve));
      }
    }
  }
}
