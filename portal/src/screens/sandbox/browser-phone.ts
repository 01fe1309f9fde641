// The sandbox's telephone in this page: a WebSocket to it, and the audio of its calls.
//
// Guarantees: it reconnects when the connection is lost, with growing pauses; not when the telephone was opened
// elsewhere, the session has ended, or the server has refused it, which is shown. Audio is open only during a call, and
// unsent data is bounded.

import type { SandboxPhoneOrder, SandboxPhoneState } from "@tandem/sdk";
import { useEffect, useState } from "react";
import { client } from "../../api/client.ts";
import { SharedValue, useShared } from "../../shared-value.ts";
import { findPhoneRefusal } from "./phone-refusal.ts";
import { type OpenSound, openSound, type Speaking } from "./phone-sound.ts";
import { startRinging } from "./ring-tone.ts";

export interface PhoneView {
  /** `Elsewhere`: another page has the telephone. `SignedOut`: the session has ended. `None`: there is none. */
  readonly connection: "Connecting" | "Open" | "Lost" | "Elsewhere" | "SignedOut" | "None";
  /** Why there is none. */
  readonly why: string | undefined;
  readonly call: SandboxPhoneState;
  /** When the two parties were connected. */
  readonly talkingSince: number | undefined;
  /** Undefined until a call had sound. */
  readonly speaking: Speaking | undefined;
  /** Why the last order was not carried out. */
  readonly refused: string | undefined;
}

const IDLE: SandboxPhoneState = { state: "Idle", number: null, ended: null, status: null };
const RETRY_MS = { first: 500, most: 30_000 } as const;
/** How often opening the telephone may fail while the server responds. */
const FAILURES_MAX = 4;
const NOT_OPENED = "The server answers, but opens no WebSocket: a proxy may be in the way.";
const UNSENT_BYTES_MAX = 16 * 1024;
const TAKEN_OVER = 4001;
const SIGNED_OUT = 4003;

export class BrowserPhone {
  readonly #number: string;
  readonly view = new SharedValue<PhoneView>({
    connection: "Connecting",
    why: undefined,
    call: IDLE,
    talkingSince: undefined,
    speaking: undefined,
    refused: undefined,
  });
  #socket: WebSocket | undefined;
  #retry: number | undefined;
  #retryMs: number = RETRY_MS.first;
  /** How often it was not opened although the server responds. */
  #failures = 0;
  /** The audio of the call, from when it is first needed. */
  #sound: Promise<OpenSound | undefined> | undefined;
  #opened: OpenSound | undefined;
  #stopRinging: (() => void) | undefined;

  constructor(number: string) {
    this.#number = number;
  }

  connect(): void {
    this.disconnect();
    this.#show({ connection: "Connecting" });
    const socket = new WebSocket(client.sandbox.phoneUrl(this.#number));
    socket.binaryType = "arraybuffer";
    this.#socket = socket;
    socket.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => this.#receive(data);
    socket.onopen = () => {
      this.#failures = 0;
      socket.onclose = ({ code }) => this.#lost(code);
    };
    socket.onclose = () => void this.#notOpened(socket);
  }

  disconnect(): void {
    window.clearTimeout(this.#retry);
    const socket = this.#socket;
    this.#socket = undefined;
    if (socket) leave(socket);
    this.#silence();
  }

  answer(): void {
    this.#wantSound();
    this.#order({ do: "answer" });
  }

  call(to: string): void {
    this.#wantSound();
    this.#order({ do: "call", to });
  }

  reject = (): void => this.#order({ do: "reject" });
  hangUp = (): void => this.#order({ do: "hangUp" });
  press = (key: string): void => this.#order({ do: "press", key });

  #order(order: SandboxPhoneOrder): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(order));
  }

  #receive(data: string | ArrayBuffer): void {
    if (typeof data !== "string") {
      this.#opened?.play(samplesOf(data));
      return;
    }
    const message = JSON.parse(data) as SandboxPhoneState | { readonly refused: string };
    if ("refused" in message) this.#show({ refused: message.refused });
    else this.#become(message);
  }

  #become(call: SandboxPhoneState): void {
    this.#retryMs = RETRY_MS.first;
    this.#ring(call.state === "Ringing");
    if (call.state === "Idle") this.#silence();
    const talkingSince = call.state === "Talking" ? Date.now() : undefined;
    const isNew = call.state === "Ringing" || call.state === "Calling";
    this.#show({ connection: "Open", call, talkingSince, ...(isNew && { refused: undefined }) });
  }

  /** Retries only if that may help. */
  async #notOpened(socket: WebSocket): Promise<void> {
    const refusal = await findPhoneRefusal(this.#number);
    if (this.#socket !== socket) return;
    if (refusal.kind === "SignedOut") this.#lost(SIGNED_OUT);
    else if (refusal.kind === "Refused") this.#giveUp(refusal.why);
    else if (refusal.kind === "None" && ++this.#failures >= FAILURES_MAX) this.#giveUp(NOT_OPENED);
    else this.#lost(undefined);
  }

  #giveUp(why: string): void {
    this.#socket = undefined;
    this.#failures = 0;
    this.#retryMs = RETRY_MS.first;
    this.#show({ connection: "None", why });
  }

  #lost(code: number | undefined): void {
    this.#socket = undefined;
    this.#silence();
    const connection = code === TAKEN_OVER ? "Elsewhere" : code === SIGNED_OUT ? "SignedOut" : "Lost";
    this.#show({ connection, call: IDLE, talkingSince: undefined });
    if (connection !== "Lost") return;
    this.#retry = window.setTimeout(() => this.connect(), this.#retryMs);
    this.#retryMs = Math.min(this.#retryMs * 2, RETRY_MS.most);
  }

  #wantSound(): void {
    this.#silence();
    const opening = openSound((frame) => this.#say(frame)).catch(() => undefined);
    this.#sound = opening;
    void opening.then((sound) => {
      // The call may end before the user has allowed the microphone.
      if (this.#sound !== opening) sound?.close();
      else {
        this.#opened = sound;
        this.#show({ speaking: sound?.speaking ?? "Nothing" });
      }
    });
  }

  #say(frame: Int16Array<ArrayBuffer>): void {
    const socket = this.#socket;
    if (this.view.get().call.state !== "Talking" || socket?.readyState !== WebSocket.OPEN) return;
    if (socket.bufferedAmount < UNSENT_BYTES_MAX) socket.send(octetsOf(frame));
  }

  #ring(isRinging: boolean): void {
    this.#stopRinging?.();
    this.#stopRinging = isRinging ? startRinging() : undefined;
  }

  #silence(): void {
    this.#ring(false);
    this.#opened?.close();
    this.#opened = undefined;
    this.#sound = undefined;
  }

  #show(change: Partial<PhoneView>): void {
    this.view.set({ ...this.view.get(), ...change });
  }
}

/** Browsers log an error when a socket is closed before it is open. */
function leave(socket: WebSocket): void {
  socket.onmessage = null;
  socket.onclose = null;
  if (socket.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close();
  else socket.close();
}

/** Little-endian, whatever the machine. */
function octetsOf(samples: Int16Array): ArrayBuffer {
  const view = new DataView(new ArrayBuffer(samples.length * 2));
  for (const [at, sample] of samples.entries()) view.setInt16(at * 2, sample, true);
  return view.buffer;
}

function samplesOf(octets: ArrayBuffer): Int16Array<ArrayBuffer> {
  const view = new DataView(octets);
  return Int16Array.from({ length: octets.byteLength >> 1 }, (_, at) => view.getInt16(at * 2, true));
}

/** The telephone of a number, connected while the screen is shown. */
export function useBrowserPhone(number: string): readonly [BrowserPhone, PhoneView] {
  const [phone] = useState(() => new BrowserPhone(number));
  useEffect(() => {
    phone.connect();
    return () => phone.disconnect();
  }, [phone]);
  return [phone, useShared(phone.view)];
}
