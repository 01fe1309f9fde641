// A person's telephone in the simulated network: it rings when it is called, and its audio goes through the page that
// shows it. It has one call at a time and is busy for others. An order that does not fit its state, because the other
// side was faster, is ignored.
//
//   Idle → Ringing → Talking → Idle      called
//   Idle → Calling → Talking → Idle      calls

import type { Result } from "../../base/result.ts";
import type { PhoneCall, PhoneUser } from "./phone-call.ts";
import { PlayoutBuffer } from "./playout-buffer.ts";
import type { SoftphoneOrder } from "./softphone-frame.ts";

export interface SoftphoneState {
  readonly state: "Idle" | "Ringing" | "Calling" | "Talking";
  /** The other party of the call, or of the last call while it is idle. */
  readonly number: string | null;
  /** Which side ended the last call, while it is idle. `Refused`: the call was not answered. */
  readonly ended: "ByPhone" | "ByOther" | "Refused" | null;
  /** The final SIP response to a call that was refused. */
  readonly status: number | null;
}

export interface SoftphoneOptions {
  /** Calls a number, or returns why it cannot be called. */
  dial(to: string, user: PhoneUser): Promise<Result<PhoneCall, string>>;
  show(state: SoftphoneState): void;
  /** An order was not carried out. */
  refuse(reason: string): void;
  /** Receives the other party's audio. */
  play(samples: Int16Array): void;
}

const IDLE: SoftphoneState = { state: "Idle", number: null, ended: null, status: null };
const DECLINED = 603;
const UNAVAILABLE = 480;

export class Softphone {
  readonly #options: SoftphoneOptions;
  #state = IDLE;
  #call: PhoneCall | undefined;
  /** The user of the current call; ended calls have another one. */
  #user: PhoneUser | undefined;
  #microphone = new PlayoutBuffer();

  constructor(options: SoftphoneOptions) {
    this.#options = options;
    options.show(IDLE);
  }

  /** Rings for an incoming call. Undefined when it is busy. */
  ring(call: PhoneCall, from: string): PhoneUser | undefined {
    if (this.#state.state !== "Idle") return undefined;
    const user = this.#newUser();
    this.#call = call;
    this.#show({ ...IDLE, state: "Ringing", number: from });
    return user;
  }

  /** Receives the person's audio. */
  say(samples: Int16Array): void {
    if (this.#state.state === "Talking") this.#microphone.push(samples);
  }

  obey(order: SoftphoneOrder): void {
    const { state } = this.#state;
    if (order.do === "call" && state === "Idle") this.#dial(order.to);
    else if (order.do === "answer" && state === "Ringing") this.#call?.accept();
    else if (order.do === "reject" && state === "Ringing") this.#refuse(DECLINED);
    else if (order.do === "hangUp" && (state === "Calling" || state === "Talking")) this.#hangUp();
    else if (order.do === "press" && state === "Talking") this.#call?.press(order.key);
  }

  /** The person no longer uses it. */
  close(): void {
    if (this.#state.state === "Ringing") this.#refuse(UNAVAILABLE);
    else if (this.#state.state !== "Idle") this.#hangUp();
  }

  #dial(to: string): void {
    const user = this.#newUser();
    this.#show({ ...IDLE, state: "Calling", number: to });
    this.#options.dial(to, user).then(
      (placed) => {
        if (!placed.ok) this.#fail(user, placed.refusal);
        else if (this.#user === user) this.#call = placed.value;
        // The person has hung up in the meantime.
        else placed.value.hangUp();
      },
      () => this.#fail(user, "The call could not be placed."),
    );
  }

  #fail(user: PhoneUser, reason: string): void {
    if (this.#user !== user) return;
    this.#options.refuse(reason);
    this.#end("Refused", null);
  }

  #refuse(status: number): void {
    this.#call?.refuse(status);
    this.#end("ByPhone", null);
  }

  #hangUp(): void {
    this.#call?.hangUp();
    this.#end("ByPhone", null);
  }

  #newUser(): PhoneUser {
    const microphone = new PlayoutBuffer();
    const user: PhoneUser = {
      microphone,
      hear: (samples) => {
        if (this.#user === user) this.#options.play(samples);
      },
      connected: () => {
        if (this.#user === user) this.#show({ ...this.#state, state: "Talking" });
      },
      ended: (status) => {
        if (this.#user !== user) return;
        if (this.#state.state === "Calling") this.#end("Refused", status);
        else this.#end("ByOther", null);
      },
    };
    this.#microphone = microphone;
    this.#user = user;
    return user;
  }

  #end(ended: SoftphoneState["ended"], status: number | null): void {
    this.#user = undefined;
    this.#call = undefined;
    this.#show({ state: "Idle", number: this.#state.number, ended, status });
  }

  #show(state: SoftphoneState): void {
    this.#state = state;
    this.#options.show(state);
  }
}
