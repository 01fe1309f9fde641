// The fast way to the network, on Linux: the C library's own calls through koffi, a socket for each port, all of them
// watched by one epoll. A packet costs two system calls and no memory.
//
// Guarantees: calls are synchronous and never wait but for the pause of a turn, which is bounded, so that orders and
// timers of the process come through; one packet of each socket is taken at a time, so that a flood on one port fills
// that port's buffer and nothing else.

import { SocketAddress } from "node:net";
import { parseAddress } from "../../base/cidr.ts";
import type { LocalAddress } from "./control.ts";
import type { OpenSockets, Receiver } from "./relay.ts";
import type { LegSockets } from "./relay-leg.ts";

const AF_INET = 2;
const AF_INET6 = 10;
const SOCK_DGRAM = 2;
const SOCK_NONBLOCK = 0o4000;
const SOCK_CLOEXEC = 0o2000000;
const SOL_SOCKET = 1;
const SO_SNDBUF = 7;
const SO_RCVBUF = 8;
const IPPROTO_IPV6 = 41;
const IPV6_V6ONLY = 26;
const EPOLL_CTL_ADD = 1;
const EPOLLIN = 1;
/** The structure is packed on x86 alone. */
const EVENT_LENGTH = process.arch === "x64" ? 12 : 16;
const EVENT_DATA = process.arch === "x64" ? 4 : 8;
const EVENTS_MAX = 256;
const BUFFER_OCTETS = 256 * 1024;
const PACKET_MAX = 2048;
const ADDRESS_LENGTH = 28;

/** While packets come, so long is waited for more of them: one turn then serves many. */
const GATHER_MS = 1;
/** While none come, a packet ends the wait at once, an order after so long. */
const IDLE_MS = 4;
/** How often in a turn the sockets are asked for another packet. */
const PASSES = 4;

/** What we use of koffi. It is an optional package: types and program must do without it. */
interface Koffi {
  load(path: null): { func(definition: string): (...given: unknown[]) => number };
  alloc(type: string, length: number): unknown;
  view(pointer: unknown, length: number): ArrayBuffer;
  address(pointer: unknown): bigint;
  errno(): number;
  readonly os: { readonly errno: Readonly<Record<string, number>> };
}

const CALLS = {
  socket: "int socket(int domain, int type, int protocol)",
  bind: "int bind(int fd, const void *address, unsigned int length)",
  close: "int close(int fd)",
  setOption: "int setsockopt(int fd, int level, int name, const void *value, unsigned int length)",
  receive: "intptr_t recvfrom(int fd, void *octets, size_t length, int flags, void *address, void *addressLength)",
  send: "intptr_t sendto(int fd, const void *octets, size_t length, int flags, const void *to, unsigned int toLength)",
  epollCreate: "int epoll_create1(int flags)",
  epollControl: "int epoll_ctl(int epoll, int operation, int fd, void *event)",
  epollWait: "int epoll_wait(int epoll, void *events, int most, int ms)",
} as const;
type Calls = Readonly<Record<keyof typeof CALLS, (...given: unknown[]) => number>>;

/** Memory that stays where it is: its address is given to calls as a number. */
interface Fixed {
  readonly at: bigint;
  readonly octets: Uint8Array;
  readonly view: DataView;
}

function fixed(koffi: Koffi, length: number): Fixed {
  const pointer = koffi.alloc("uint8_t", length);
  const memory = koffi.view(pointer, length);
  return { at: koffi.address(pointer), octets: new Uint8Array(memory), view: new DataView(memory) };
}

interface Port {
  readonly fd: number;
  readonly family: 4 | 6;
  readonly hear: (octets: Uint8Array, address: string, port: number) => void;
  /** The last sender's address in words of 32 bits and in text, so that it is written out once. */
  readonly heardWords: Uint32Array;
  heardAddress: string;
}

class Loop {
  readonly #koffi: Koffi;
  readonly #calls: Calls;
  readonly #epoll: number;
  readonly #ports = new Map<number, Port>();
  readonly #events: Fixed;
  readonly #packet: Fixed;
  readonly #sent: Fixed;
  readonly #from: Fixed;
  readonly #fromLength: Fixed;
  readonly #to: Fixed;
  readonly #pause = new Int32Array(new SharedArrayBuffer(4));
  #toFamily = 0;
  #toAddress = "";
  #isRunning = false;

  constructor(koffi: Koffi) {
    const libc = koffi.load(null);
    this.#koffi = koffi;
    const entries = Object.entries(CALLS).map(([name, definition]) => [name, libc.func(definition)]);
    this.#calls = Object.fromEntries(entries) as Calls;
    this.#epoll = this.#calls.epollCreate(SOCK_CLOEXEC);
    this.#events = fixed(koffi, EVENT_LENGTH * EVENTS_MAX);
    this.#packet = fixed(koffi, PACKET_MAX);
    this.#sent = fixed(koffi, PACKET_MAX);
    this.#from = fixed(koffi, ADDRESS_LENGTH);
    this.#fromLength = fixed(koffi, 4);
    this.#to = fixed(koffi, ADDRESS_LENGTH);
  }

  open(family: 4 | 6, address: string, port: number, hear: Port["hear"]): Port {
    const { socket, bind, close, setOption, epollControl } = this.#calls;
    const fd = socket(family === 4 ? AF_INET : AF_INET6, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0) throw new Error(`socket ${this.#faultName()}`);
    const one = Int32Array.of(1);
    const size = Int32Array.of(BUFFER_OCTETS);
    setOption(fd, SOL_SOCKET, SO_RCVBUF, size, 4);
    setOption(fd, SOL_SOCKET, SO_SNDBUF, size, 4);
    if (family === 6) setOption(fd, IPPROTO_IPV6, IPV6_V6ONLY, one, 4);
    const isBound = bind(fd, this.#addressOf(family, address, port), family === 4 ? 16 : 28) === 0;
    if (!isBound) {
      const reason = `bind ${this.#faultName()} ${address}:${port}`;
      close(fd);
      throw new Error(reason);
    }
    const opened: Port = { fd, family, hear, heardWords: new Uint32Array(4), heardAddress: "" };
    this.#ports.set(fd, opened);
    const event = new DataView(new ArrayBuffer(EVENT_LENGTH));
    event.setUint32(0, EPOLLIN, true);
    event.setInt32(EVENT_DATA, fd, true);
    epollControl(this.#epoll, EPOLL_CTL_ADD, fd, new Uint8Array(event.buffer));
    this.#run();
    return opened;
  }

  close({ fd }: Port): void {
    this.#ports.delete(fd);
    this.#calls.close(fd);
  }

  send({ fd, family }: Port, octets: Uint8Array, start: number, end: number, port: number, address: string): void {
    const to = this.#addressOf(family, address, port);
    let at = this.#packet.at;
    if (octets.buffer === this.#packet.octets.buffer) {
      // A relayed packet leaves from where it was received.
      const offset = octets.byteOffset - this.#packet.octets.byteOffset + start;
      if (offset > 0) at += BigInt(offset);
    } else {
      if (end - start > PACKET_MAX) return;
      this.#sent.octets.set(start === 0 && end === octets.length ? octets : octets.subarray(start, end));
      at = this.#sent.at;
    }
    this.#calls.send(fd, at, end - start, 0, to, family === 4 ? 16 : 28);
  }

  #run(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    setImmediate(() => this.#turn(false));
  }

  #turn(wasBusy: boolean): void {
    if (this.#ports.size === 0) {
      this.#isRunning = false;
      return;
    }
    if (wasBusy) Atomics.wait(this.#pause, 0, 0, GATHER_MS);
    let isBusy = false;
    for (let pass = 0; pass < PASSES; pass++) {
      const ready = this.#calls.epollWait(this.#epoll, this.#events.at, EVENTS_MAX, wasBusy || isBusy ? 0 : IDLE_MS);
      if (ready <= 0) break;
      isBusy = true;
      for (let index = 0; index < ready; index++) {
        const port = this.#ports.get(this.#events.view.getInt32(index * EVENT_LENGTH + EVENT_DATA, true));
        if (port) this.#receive(port);
      }
    }
    setImmediate(() => this.#turn(isBusy));
  }

  #receive(port: Port): void {
    const from = this.#from;
    this.#fromLength.view.setUint32(0, ADDRESS_LENGTH, true);
    const length = Number(this.#calls.receive(port.fd, this.#packet.at, PACKET_MAX, 0, from.at, this.#fromLength.at));
    if (length < 0) return;
    if (hasOtherSender(port, from.view)) port.heardAddress = textOf(port.family, from.octets);
    port.hear(this.#packet.octets.subarray(0, length), port.heardAddress, from.view.getUint16(2));
  }

  #faultName(): string {
    const fault = this.#koffi.errno();
    return Object.entries(this.#koffi.os.errno).find(([, value]) => value === fault)?.[0] ?? `fault ${fault}`;
  }

  /** The address as the kernel wants it: `sockaddr_in`, `sockaddr_in6`. */
  #addressOf(family: 4 | 6, address: string, port: number): bigint {
    const { view, octets, at } = this.#to;
    if (family !== this.#toFamily || address !== this.#toAddress) {
      this.#toFamily = family;
      this.#toAddress = address;
      octets.fill(0);
      view.setUint16(0, family === 4 ? AF_INET : AF_INET6, true);
      octets.set(octetsOf(family, address), family === 4 ? 4 : 8);
    }
    view.setUint16(2, port);
    return at;
  }
}

/** Remembers the sender. */
function hasOtherSender({ family, heardWords, heardAddress }: Port, from: DataView): boolean {
  let isOther = heardAddress === "";
  const words = family === 4 ? 1 : 4;
  for (let word = 0; word < words; word++) {
    const value = from.getUint32((family === 4 ? 4 : 8) + word * 4);
    if (value === heardWords[word]) continue;
    heardWords[word] = value;
    isOther = true;
  }
  return isOther;
}

function textOf(family: 4 | 6, from: Uint8Array): string {
  if (family === 4) return from.subarray(4, 8).join(".");
  const groups = Buffer.from(from.subarray(8, 24)).toString("hex").match(/.{4}/g) ?? [];
  return new SocketAddress({ family: "ipv6", address: groups.join(":") }).address;
}

function octetsOf(family: 4 | 6, address: string): Uint8Array {
  const value = parseAddress(address)?.value ?? 0n;
  return Buffer.from(value.toString(16).padStart(family === 4 ? 8 : 32, "0"), "hex");
}

/** Starts the loop with the first leg. */
export async function fastSockets(): Promise<OpenSockets> {
  const name = "koffi";
  const { default: koffi } = (await import(name)) as { default: Koffi };
  const loop = new Loop(koffi);
  return async ({ rtpPort, addresses }, receiver) => openLeg(loop, rtpPort, addresses, receiver);
}

function openLeg(loop: Loop, rtpPort: number, addresses: readonly LocalAddress[], receiver: Receiver): LegSockets {
  const opened: Port[] = [];
  const rtp: Partial<Record<4 | 6, Port>> = {};
  const rtcp: Partial<Record<4 | 6, Port>> = {};
  const closeAll = () => {
    for (const port of opened.splice(0)) loop.close(port);
  };
  try {
    for (const { family, address } of addresses) {
      rtp[family] = loop.open(family, address, rtpPort, (octets, from, port) => receiver.rtp(octets, from, port));
      opened.push(rtp[family]);
      rtcp[family] = loop.open(family, address, rtpPort + 1, (octets, from) => receiver.rtcp(octets, from));
      opened.push(rtcp[family]);
    }
  } catch (error) {
    closeAll();
    throw error;
  }
  return {
    sendRtp: (family, octets, start, end, port, address) => {
      const by = rtp[family];
      if (by) loop.send(by, octets, start, end, port, address);
    },
    sendRtcp: (family, octets, port, address) => {
      const by = rtcp[family];
      if (by) loop.send(by, octets, 0, octets.length, port, address);
    },
    close: (closed) => {
      closeAll();
      closed();
    },
  };
}
