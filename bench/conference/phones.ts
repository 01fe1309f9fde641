// Telephones for the conference benchmark: each sends 20 ms of audio of its codec fifty times a second, and counts what
// it gets.

import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { encodeSample, SILENCE } from "../../src/wire/rtp/g711.ts";
import { RTP_HEADER_LENGTH, writeRtpHeader } from "../../src/wire/rtp/packet.ts";
import { payloadOf } from "./payload.ts";

const SAMPLES = 160;
const PACKET_MS = 20;

interface Phone {
  readonly socket: Socket;
  readonly port: number;
  readonly packet: Uint8Array;
  readonly payload: 0 | 8;
  readonly ssrc: number;
}

export class Phones {
  readonly #phones: readonly Phone[];
  readonly #timer: NodeJS.Timeout;
  readonly #startMs = performance.now();
  #sent = 0;
  #received = 0;
  #spoken = 0;

  /** At ports from `firstPort` on, for the legs that have these ports. */
  static async open(firstPort: number, legs: readonly number[]): Promise<Phones> {
    const phones = await Promise.all(legs.map((port, at) => openPhone(firstPort + at, port, at)));
    return new Phones(phones);
  }

  private constructor(phones: readonly Phone[]) {
    this.#phones = phones;
    for (const { socket, payload } of phones) {
      socket.on("message", (octets) => {
        if (octets.length !== RTP_HEADER_LENGTH + SAMPLES) return;
        this.#received++;
        if (octets.subarray(RTP_HEADER_LENGTH).some((octet) => octet !== SILENCE[payload === 0 ? "PCMU" : "PCMA"]))
          this.#spoken++;
      });
    }
    this.#timer = setInterval(() => this.#send(), 1);
  }

  /** So far: packets sent, received, and received with more than silence. */
  get counts(): { readonly sent: number; readonly received: number; readonly spoken: number } {
    return { sent: this.#sent, received: this.#received, spoken: this.#spoken };
  }

  close(): void {
    clearInterval(this.#timer);
    for (const { socket } of this.#phones) socket.close();
  }

  /** What is due: the phones have their turns within the 20 ms. */
  #send(): void {
    const due = Math.floor(((performance.now() - this.#startMs) * this.#phones.length) / PACKET_MS);
    for (; this.#sent < due; this.#sent++) {
      const { socket, port, packet, payload, ssrc } = this.#phones[this.#sent % this.#phones.length] as Phone;
      const sequence = Math.floor(this.#sent / this.#phones.length);
      const place = { sequence: sequence & 0xffff, timestamp: (sequence * SAMPLES) >>> 0, ssrc };
      writeRtpHeader(packet, 0, { hasMarker: sequence === 0, payload, ...place });
      socket.send(packet, port, "127.0.0.1");
    }
  }
}

async function openPhone(ownPort: number, port: number, at: number): Promise<Phone> {
  const socket = createSocket("udp4");
  socket.bind(ownPort, "127.0.0.1");
  await once(socket, "listening");
  const payload = payloadOf(at);
  const packet = new Uint8Array(RTP_HEADER_LENGTH + SAMPLES);
  for (let sample = 0; sample < SAMPLES; sample++) {
    const tone = 600 * Math.sin((2 * Math.PI * (300 + 50 * at) * sample) / 8_000);
    packet[RTP_HEADER_LENGTH + sample] = encodeSample(payload === 0 ? "PCMU" : "PCMA", tone);
  }
  return { socket, port, packet, payload, ssrc: at + 1 };
}
