// A name server for tests: it receives queries and sends back whatever bytes the test gives, when it gives them.

import { createSocket, type RemoteInfo } from "node:dgram";
import { once } from "node:events";

export interface Naptr {
  readonly order?: number;
  readonly preference?: number;
  readonly flags?: string;
  readonly service?: string;
  readonly regexp: string;
}

export interface DnsQuestion {
  readonly message: Buffer;
  readonly name: string;
  reply(bytes: Uint8Array): void;
}

export interface NameServer {
  /** `127.0.0.1:port`. */
  readonly address: string;
  /** The next query that was not taken yet. */
  next(): Promise<DnsQuestion>;
  close(): Promise<void>;
}

export async function startNameServer(onQuestion?: (question: DnsQuestion) => void): Promise<NameServer> {
  const socket = createSocket("udp4");
  const questions: DnsQuestion[] = [];
  const takers: ((question: DnsQuestion) => void)[] = [];
  socket.on("message", (message: Buffer, from: RemoteInfo) => {
    const question: DnsQuestion = {
      message,
      name: questionName(message),
      reply: (bytes) => socket.send(bytes, from.port, from.address),
    };
    onQuestion?.(question);
    const taker = takers.shift();
    if (taker) taker(question);
    else questions.push(question);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return {
    address: `127.0.0.1:${socket.address().port}`,
    next: () =>
      new Promise((resolve) => {
        const question = questions.shift();
        if (question) resolve(question);
        else takers.push(resolve);
      }),
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

/** RFC 1035 4.1: header, the question as received, and the records. `flags` are in addition to the response bit. */
export function dnsReply(question: DnsQuestion, records: readonly Buffer[], rcode = 0, flags = 0): Buffer {
  const header = Buffer.alloc(12);
  question.message.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8400 | flags | rcode, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(records.length, 6);
  return Buffer.concat([header, question.message.subarray(12, questionEnd(question.message)), ...records]);
}

export function naptrReply(question: DnsQuestion, ...records: readonly Naptr[]): Buffer {
  return dnsReply(question, records.map(naptrRecord));
}

/** RFC 3403 4.1: order, preference, flags, service, regexp, replacement. */
export function naptrRecord({ order = 10, preference = 10, flags = "u", ...rest }: Naptr): Buffer {
  const ranks = Buffer.alloc(4);
  ranks.writeUInt16BE(order, 0);
  ranks.writeUInt16BE(preference, 2);
  const { service = "E2U+pstn:tel", regexp } = rest;
  return dnsRecord(35, Buffer.concat([ranks, ...[flags, service, regexp].map(characterString), Buffer.alloc(1)]));
}

/** A record about the queried name. */
export function dnsRecord(type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(60, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

function characterString(text: string): Buffer {
  const bytes = Buffer.from(text, "latin1");
  return Buffer.concat([Buffer.from([bytes.length]), bytes]);
}

function questionName(message: Buffer): string {
  const labels: string[] = [];
  for (let at = 12; message[at]; at += 1 + (message[at] ?? 0)) {
    labels.push(message.toString("latin1", at + 1, at + 1 + (message[at] ?? 0)));
  }
  return labels.join(".");
}

function questionEnd(message: Buffer): number {
  return message.indexOf(0, 12) + 5;
}
