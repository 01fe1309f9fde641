// For speed alone (`bench -- streams` would notice): between the engine and its relay, the sound of streams travels in
// one array for many frames. Each array of its own costs both sides more than what is in it, and one from Node's pool
// would take the whole pool along to a thread.
//
// Guarantees: what is unpacked equals what was packed, in the same order.

import type { MediaOrder, MediaReport, StreamedFrame } from "./control.ts";

type StreamAudio = Extract<MediaOrder, { readonly kind: "streamAudio" }>;

/** Numbers of each item, one item after the other, and its octets. */
interface Packed<Kind> {
  readonly kind: Kind;
  readonly numbers: readonly number[];
  readonly octets: Uint8Array;
}

export type SentReport = Exclude<MediaReport, StreamedFrame> | Packed<"frames">;
export type SentOrder = Exclude<MediaOrder, StreamAudio> | Packed<"audio">;

const FRAME_NUMBERS = 5;
const AUDIO_NUMBERS = 3;

export function packReports(reports: readonly MediaReport[]): readonly SentReport[] {
  const sent: SentReport[] = [];
  for (let at = 0; at < reports.length; at++) {
    const report = reports[at] as MediaReport;
    if (report.kind !== "streamed") {
      sent.push(report);
      continue;
    }
    const numbers: number[] = [];
    const parts: Uint8Array[] = [];
    for (let next: MediaReport | undefined = report; next?.kind === "streamed"; next = reports[++at]) {
      const { leg, stream, gone, inbound, outbound } = next;
      numbers.push(leg, stream, gone, inbound.length, outbound.length);
      parts.push(inbound, outbound);
    }
    at--;
    sent.push({ kind: "frames", numbers, octets: joined(parts) });
  }
  return sent;
}

export function unpackReports(sent: readonly SentReport[], take: (report: MediaReport) => void): void {
  for (const item of sent) {
    if (item.kind !== "frames") {
      take(item);
      continue;
    }
    const { numbers } = item;
    // Its parts are buffers, too, as who encodes them needs them.
    const octets = Buffer.from(item.octets.buffer, item.octets.byteOffset, item.octets.length);
    let start = 0;
    for (let at = 0; at < numbers.length; at += FRAME_NUMBERS) {
      const middle = start + (numbers[at + 3] as number);
      const end = middle + (numbers[at + 4] as number);
      take({
        kind: "streamed",
        leg: numbers[at] as number,
        stream: numbers[at + 1] as number,
        inbound: octets.subarray(start, middle),
        outbound: octets.subarray(middle, end),
        gone: numbers[at + 2] as number,
      });
      start = end;
    }
  }
}

export function packOrders(orders: readonly MediaOrder[]): readonly SentOrder[] {
  const sent: SentOrder[] = [];
  for (let at = 0; at < orders.length; at++) {
    const order = orders[at] as MediaOrder;
    if (order.kind !== "streamAudio") {
      sent.push(order);
      continue;
    }
    const numbers: number[] = [];
    const parts: Uint8Array[] = [];
    for (let next: MediaOrder | undefined = order; next?.kind === "streamAudio"; next = orders[++at]) {
      numbers.push(next.leg, next.stream, next.octets.length);
      parts.push(next.octets);
    }
    at--;
    sent.push({ kind: "audio", numbers, octets: joined(parts) });
  }
  return sent;
}

export function unpackOrders(sent: readonly SentOrder[], take: (order: MediaOrder) => void): void {
  for (const item of sent) {
    if (item.kind !== "audio") {
      take(item);
      continue;
    }
    const { numbers, octets: all } = item;
    let start = 0;
    for (let at = 0; at < numbers.length; at += AUDIO_NUMBERS) {
      const end = start + (numbers[at + 2] as number);
      const octets = all.subarray(start, end);
      take({ kind: "streamAudio", leg: numbers[at] as number, stream: numbers[at + 1] as number, octets });
      start = end;
    }
  }
}

/** In memory of its own: what is sent to a thread takes along all memory that it is a part of. */
function joined(parts: readonly Uint8Array[]): Uint8Array {
  const octets = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    octets.set(part, at);
    at += part.length;
  }
  return octets;
}
