// A phone's media on loopback: sends tones, keys and arbitrary octets, keeps what it receives, and detects frequencies.

import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { encodeSample, type Law } from "../../src/wire/rtp/g711.ts";
import { RTP_HEADER_LENGTH, type RtpHeader, readRtp, writeRtpHeader } from "../../src/wire/rtp/packet.ts";
import { type TelephoneEvent, writeEvent } from "../../src/wire/rtp/telephone-event.ts";
import { decodeSample } from "./g711.ts";

export interface HeardPacket extends RtpHeader {
  readonly octets: Uint8Array;
}

const PAYLOAD_OF: Readonly<Record<Law, number>> = { PCMU: 0, PCMA: 8 };

export class RtpPhone {
  readonly heard: HeardPacket[] = [];
  /** Applied to every packet sent and received, for phones that encrypt. */
  seal: (octets: Uint8Array) => Uint8Array = (octets) => octets;
  open: (octets: Uint8Array) => Uint8Array | undefined = (octets) => octets;
  ssrc = 0x1234;
  sequence = 100;
  timestamp = 5000;
  readonly #socket: Socket;
  readonly #address: string;
  #phase = 0;

  private constructor(socket: Socket, address: string) {
    this.#socket = socket;
    this.#address = address;
    socket.on("message", (octets) => {
      const clear = this.open(octets);
      const header = clear && readRtp(clear);
      if (header) this.heard.push({ ...header, octets: clear });
    });
  }

  static async open(address = "127.0.0.1"): Promise<RtpPhone> {
    const socket = createSocket({ type: address.includes(":") ? "udp6" : "udp4", recvBufferSize: 1 << 20 });
    socket.bind(0, address);
    await once(socket, "listening");
    return new RtpPhone(socket, address);
  }

  get port(): number {
    return this.#socket.address().port;
  }

  /** This phone's SDP. */
  sdp(...lines: readonly string[]): string {
    const connection = `IN IP${this.#address.includes(":") ? 6 : 4} ${this.#address}`;
    const media = lines.length > 0 ? lines : ["m=audio PORT RTP/AVP 0 8 101", "a=rtpmap:101 telephone-event/8000"];
    const all = ["v=0", `o=- 1 1 ${connection}`, "s=-", `c=${connection}`, "t=0 0", ...media];
    return `${all.join("\r\n").replaceAll("PORT", String(this.port))}\r\n`;
  }

  /** Sends packets of 20 ms of a tone, without pauses. */
  async sendTone(to: number, law: Law, hz: number, packets: number, address = this.#address): Promise<void> {
    for (let count = 0; count < packets; count++) {
      const payload = Uint8Array.from({ length: 160 }, () =>
        encodeSample(law, 8000 * Math.sin((2 * Math.PI * hz * this.#phase++) / 8000)),
      );
      await this.sendPacket(to, PAYLOAD_OF[law], payload, address);
      this.timestamp = (this.timestamp + 160) >>> 0;
    }
  }

  /** A key press as a phone sends it: three packets, then the end three times. */
  async sendKey(to: number, payload: number, event: number): Promise<void> {
    const begun = this.timestamp;
    const steps: TelephoneEvent[] = [160, 320, 480, 640, 640, 640].map((duration, at) => ({
      event,
      isEnd: at > 2,
      duration,
    }));
    for (const step of steps) {
      const octets = new Uint8Array(4);
      writeEvent(octets, 0, step);
      await this.sendPacket(to, payload, octets);
    }
    this.timestamp = (begun + 960) >>> 0;
  }

  async sendPacket(to: number, payload: number, octets: Uint8Array, address = this.#address): Promise<void> {
    const packet = new Uint8Array(RTP_HEADER_LENGTH + octets.length);
    const { sequence, timestamp, ssrc } = this;
    writeRtpHeader(packet, 0, { hasMarker: false, payload, sequence, timestamp, ssrc });
    packet.set(octets, RTP_HEADER_LENGTH);
    this.sequence = (sequence + 1) & 0xffff;
    await this.sendOctets(to, this.seal(packet), address);
  }

  sendOctets(to: number, octets: Uint8Array, address = this.#address): Promise<void> {
    return new Promise((resolve, reject) =>
      this.#socket.send(octets, to, address, (error) => (error ? reject(error) : resolve())),
    );
  }

  /** Sends octets of a law in packets of 20 ms, without pauses. */
  async sendSound(to: number, law: Law, octets: Uint8Array, address = this.#address): Promise<void> {
    for (let at = 0; at < octets.length; at += 160) {
      await this.sendPacket(to, PAYLOAD_OF[law], octets.subarray(at, at + 160), address);
      this.timestamp = (this.timestamp + 160) >>> 0;
    }
  }

  /** What was received, as samples of `law`. */
  samples(law: Law): number[] {
    return this.heard
      .filter(({ payload }) => payload === PAYLOAD_OF[law])
      .flatMap(({ octets, start, end }) => [...octets.subarray(start, end)].map((octet) => decodeSample(law, octet)));
  }

  /** The share of this frequency in what was received, as samples of `law`: 1 is a pure tone. */
  purity(law: Law, hz: number): number {
    return purityOf(this.samples(law), hz);
  }

  close(): void {
    this.#socket.close();
  }
}

/** Goertzel's sum at one frequency over the total energy. */
export function purityOf(samples: readonly number[], hz: number): number {
  const coefficient = 2 * Math.cos((2 * Math.PI * hz) / 8000);
  let before = 0;
  let beforeThat = 0;
  let energy = 0;
  for (const sample of samples) {
    [before, beforeThat] = [sample + coefficient * before - beforeThat, before];
    energy += sample * sample;
  }
  const power = before * before + beforeThat * beforeThat - coefficient * before * beforeThat;
  return energy === 0 ? 0 : (2 * power) / (energy * samples.length);
}

/** How many pieces of 40 ms are almost entirely this frequency; on a busy machine there are gaps between them. */
export function piecesOfTone(samples: readonly number[], hz: number): number {
  let pieces = 0;
  for (let at = 0; at + 320 <= samples.length; at += 160) {
    if (purityOf(samples.slice(at, at + 320), hz) > 0.8) pieces += 1;
  }
  return pieces;
}

/** The port of the first audio line of an SDP of ours. */
export function audioPortOf(sdp: string): number {
  return Number(/^m=audio (\d+)/m.exec(sdp)?.[1]);
}
