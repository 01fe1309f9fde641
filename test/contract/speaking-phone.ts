// A telephone of the sandbox that a test obeys: it speaks a tone all the time, and keeps what it hears.

import { expect } from "vitest";
import { WebSocket } from "ws";
import { piecesOfTone } from "../fakes/rtp-phone.ts";
import { basic } from "../tandem.ts";
import type { TestAccount } from "./account.ts";
import { SOON } from "./numbers.ts";

export interface SpeakingOrder {
  readonly number: string;
  /** Of its tone. */
  readonly hertz: number;
}

export async function openPhone(
  tandem: { readonly url: string },
  account: TestAccount,
  { number, hertz: spoken }: SpeakingOrder,
) {
  const path = `/testkit/v1/Phone?Number=${encodeURIComponent(number)}`;
  const socket = new WebSocket(tandem.url.replace("http", "ws") + path, { headers: basic(account.sid, account.token) });
  let told = "";
  const heard: number[] = [];
  let at = 0;
  const begunMs = performance.now();
  socket.on("message", (data: Buffer, isBinary) => {
    if (!isBinary) told = data.toString();
    else for (let place = 0; place < data.length; place += 2) heard.push(data.readInt16LE(place));
  });
  const speakDue = () => {
    while (at / 8 < performance.now() - begunMs) speak();
  };
  const speak = () => {
    const frame = Buffer.alloc(320);
    for (let place = 0; place < 160; place++, at++) {
      frame.writeInt16LE(Math.round(8_000 * Math.sin((2 * Math.PI * spoken * at) / 8_000)), place * 2);
    }
    socket.send(frame);
  };
  await expect.poll(() => told, SOON).toContain('"state":"Idle"');
  const speaking = setInterval(speakDue, 20);
  return {
    order: (order: object) => socket.send(JSON.stringify(order)),
    /** Pieces of this tone in the last second. */
    hears: (hertz: number) => piecesOfTone(heard.slice(-8_000), hertz),
    loudest: (samples: number) => Math.max(...heard.slice(-samples).map(Math.abs)),
    close: () => {
      clearInterval(speaking);
      socket.terminate();
    },
  };
}
