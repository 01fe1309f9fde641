// Writes SIP messages as a capture file (libpcap, raw IP packets), for tools such as Wireshark and sngrep. Messages
// sent over TCP or TLS are written as UDP too, because each message is stored whole.

import { type Address, parseAddress } from "../base/cidr.ts";

export interface CapturedMessage {
  readonly at: Date;
  /** Address and port: `192.0.2.1:5060`, `[2001:db8::1]:5060`. */
  readonly source: string;
  readonly destination: string;
  readonly text: string;
}

const MAGIC = 0xa1b2c3d4;
const LINKTYPE_RAW = 101;
const PAYLOAD_MAX = 65_000;
const UDP = 17;

export function writePcap(messages: readonly CapturedMessage[]): Uint8Array {
  const packets = messages.map((message) => ({ at: message.at, bytes: packetOf(message) }));
  const file = new Uint8Array(24 + packets.reduce((sum, { bytes }) => sum + 16 + bytes.length, 0));
  const view = new DataView(file.buffer);
  view.setUint32(0, MAGIC);
  view.setUint16(4, 2);
  view.setUint16(6, 4);
  view.setUint32(16, 0xffff);
  view.setUint32(20, LINKTYPE_RAW);
  let place = 24;
  for (const { at, bytes } of packets) {
    const ms = at.getTime();
    view.setUint32(place, Math.floor(ms / 1000));
    view.setUint32(place + 4, (ms % 1000) * 1000);
    view.setUint32(place + 8, bytes.length);
    view.setUint32(place + 12, bytes.length);
    file.set(bytes, place + 16);
    place += 16 + bytes.length;
  }
  return file;
}

function packetOf({ source, destination, text }: CapturedMessage): Uint8Array {
  const [from, fromPort] = endpointOf(source);
  const [to, toPort] = endpointOf(destination);
  const payload = new TextEncoder().encode(text).subarray(0, PAYLOAD_MAX);
  const family = from.family === 6 || to.family === 6 ? 6 : 4;
  const head = family === 4 ? 20 : 40;
  const packet = new Uint8Array(head + 8 + payload.length);
  const view = new DataView(packet.buffer);
  if (family === 4) {
    packet[0] = 0x45;
    view.setUint16(2, packet.length);
    packet[8] = 64;
    packet[9] = UDP;
    packet.set(octets(from, 4), 12);
    packet.set(octets(to, 4), 16);
    view.setUint16(10, checksum(packet.subarray(0, 20)));
  } else {
    packet[0] = 0x60;
    view.setUint16(4, 8 + payload.length);
    packet[6] = UDP;
    packet[7] = 64;
    packet.set(octets(from, 16), 8);
    packet.set(octets(to, 16), 24);
  }
  view.setUint16(head, fromPort);
  view.setUint16(head + 2, toPort);
  view.setUint16(head + 4, 8 + payload.length);
  packet.set(payload, head + 8);
  return packet;
}

const NOWHERE: Address = parseAddress("0.0.0.0") as Address;

function endpointOf(text: string): readonly [Address, number] {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+)):(\d+)$/.exec(text) ?? [];
  return [parseAddress(bracketed ?? plain ?? "") ?? NOWHERE, Number(port ?? 0) & 0xffff];
}

function octets({ value }: Address, count: number): Uint8Array {
  const bytes = new Uint8Array(count);
  let rest = value;
  for (let at = count - 1; at >= 0; at--) {
    bytes[at] = Number(rest & 0xffn);
    rest >>= 8n;
  }
  return bytes;
}

/** RFC 1071. */
function checksum(header: Uint8Array): number {
  let sum = 0;
  for (let at = 0; at < header.length; at += 2) sum += ((header[at] ?? 0) << 8) | (header[at + 1] ?? 0);
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >>> 16);
  return ~sum & 0xffff;
}
