// For speed alone (`bench -- media` would notice): the fast media path, on Linux: the C library's own calls through
// koffi, a socket for each port, all of them watched by one epoll. A packet costs two system calls and no memory; a leg
// whose peer is known is connected to it.
//
// Guarantees: calls are synchronous and block only in the bounded waits of the polling loop, so that the process still
// handles orders and timers; only a few packets of each socket are read at a time, so that a flood on one port fills
// only that port's buffer.

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
/** The structure is packed on x86 only. */
const EVENT_LENGTH = process.arch === "x64" ? 12 : 16;
const EVENT_DATA = process.arch === "x64" ? 4 : 8;
const EVENTS_MAX = 1024;
const BUFFER_OCTETS = 256 * 1024;
const PACKET_MAX = 2048;
/** More packets than that do not fit into a socket's buffer. */
const QUEUED_MAX = 2048;
const ADDRESS_LENGTH = 28;

/** The pause between passes while packets arrive, so that one pass handles many. */
const GATHER_US = 1000;
/** The longest that orders and timers of the process wait while packets arrive. */
const TURN_MS = 8;
/** The poll timeout while no packets arrive: a packet ends the wait immediately, an order waits for its end. */
const IDLE_MS = 4;
const LATE_MS = 15;
const LATE_PACKETS = 16;

/** What we use of koffi. It is an optional package: types and program must work without it. */
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
  connect: "int connect(int fd, const void *address, unsigned int length)",
  // Lengths fit in 32 bits, which avoids a conversion.
  receive: "int recv(int fd, void *octets, size_t length, int flags)",
  receiveFrom: "int recvfrom(int fd, void *octets, size_t length, int flags, void *address, void *addressLength)",
  send: "int send(int fd, const void *octets, size_t length, int flags)",
  sendTo: "int sendto(int fd, const void *octets, size_t length, int flags, const void *to, unsigned int toLength)",
  pause: "int usleep(unsigned int us)",
  epollCreate: "int epoll_create1(int flags)",
  epollControl: "int epoll_ctl(int epoll, int operation, int fd, void *event)",
  epollWait: "int epoll_wait(int epoll, void *events, int most, int ms)",
} as const;
type Calls = Readonly<Record<keyof typeof CALLS, (...given: unknown[]) => number>>;

/** Memory that does not move: its address is passed to calls as a number. */
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
  readonly hear: (octets: Uint8Array, address: string, port: number, nowMs: number) => void;
  isConnected: boolean;
  /** The last sender's address in words of 32 bits and in text, so that the text is made once. */
  readonly heardWords: Uint32Array;
  heardAddress: string;
  heardPort: number;
}

interface Connecting {
  readonly by: Port;
  readonly port: number;
  readonly address: string;
}

class Loop {
  readonly #koffi: Koffi;
  readonly #calls: Calls;
  readonly #epoll: number;
  readonly #ports = new Map<number, Port>();
  readonly #events: Fixed;
  readonly #packet: Fixed;
  /** Views of the packet's first octets, by length. */
  readonly #parts: (Uint8Array | undefined)[] = [];
  readonly #sent: Fixed;
  readonly #from: Fixed;
  readonly #fromLength: Fixed;
  readonly #to: Fixed;
  readonly #connecting: Connecting[] = [];
  #isBusy = false;
  #isLate = false;
  #passMs = 0;
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
    const isBound = bind(fd, this.#addressOf(family, address, port), addressLength(family)) === 0;
    if (!isBound) {
      const reason = `bind ${this.#faultName()} ${address}:${port}`;
      close(fd);
      throw new Error(reason);
    }
    const opened: Port = {
      fd,
      family,
      hear,
      isConnected: false,
      heardWords: new Uint32Array(4),
      heardAddress: "",
      heardPort: 0,
    };
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

  /** From the next pass until `disconnect`, the port receives from and sends to this address only. */
  connect(by: Port, port: number, address: string): void {
    this.#connecting.push({ by, port, address });
  }

  #connectNow({ by, port, address }: Connecting, nowMs: number): void {
    if (!this.#ports.has(by.fd)) return;
    const to = this.#addressOf(by.family, address, port);
    if (this.#calls.connect(by.fd, to, addressLength(by.family)) !== 0) return;
    // Packets that arrived before the connection may be from any sender, so they are read with their sender's address.
    for (let packet = 0; packet < QUEUED_MAX && this.#receive(by, nowMs); packet++);
    by.isConnected = true;
    by.heardAddress = address;
    by.heardPort = port;
  }

  disconnect(by: Port): void {
    const waiting = this.#connecting.findIndex((each) => each.by === by);
    if (waiting !== -1) this.#connecting.splice(waiting, 1);
    if (!by.isConnected) return;
    // An address of no family (AF_UNSPEC) ends the connection.
    this.#calls.connect(by.fd, new Uint8Array(ADDRESS_LENGTH), addressLength(by.family));
    by.isConnected = false;
    by.heardAddress = "";
  }

  send(by: Port, octets: Uint8Array, start: number, end: number, port: number, address: string): void {
    let at = this.#packet.at;
    if (octets.buffer === this.#packet.octets.buffer) {
      // A relayed packet is sent from the buffer in which it was received.
      const offset = octets.byteOffset - this.#packet.octets.byteOffset + start;
      if (offset > 0) at += BigInt(offset);
    } else {
      if (end - start > PACKET_MAX) return;
      this.#sent.octets.set(start === 0 && end === octets.length ? octets : octets.subarray(start, end));
      at = this.#sent.at;
    }
    if (by.isConnected) this.#calls.send(by.fd, at, end - start, 0);
    else {
      const to = this.#addressOf(by.family, address, port);
      this.#calls.sendTo(by.fd, at, end - start, 0, to, addressLength(by.family));
    }
  }

  #run(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    setImmediate(() => this.#turn());
  }

  /** Runs passes while packets arrive, until orders and timers are due. */
  #turn(): void {
    const endMs = performance.now() + TURN_MS;
    while (this.#ports.size > 0) {
      const nowMs = this.#pass();
      if (nowMs === undefined || nowMs > endMs) break;
      // A late pass already has enough to do; a pause would only add delay.
      if (!this.#isLate) this.#calls.pause(GATHER_US);
    }
    this.#isRunning = this.#ports.size > 0;
    if (this.#isRunning) setImmediate(() => this.#turn());
  }

  /** Reads what has arrived; waits if the last pass found nothing. Returns the time, or undefined for nothing. */
  #pass(): number | undefined {
    const ready = this.#calls.epollWait(this.#epoll, this.#events.at, EVENTS_MAX, this.#isBusy ? 0 : IDLE_MS);
    this.#isBusy = ready > 0;
    if (ready <= 0) return undefined;
    const nowMs = performance.now();
    // After a pause longer than a packet, several packets wait on each port.
    this.#isLate = nowMs - this.#passMs > LATE_MS || ready === EVENTS_MAX;
    const most = this.#isLate ? LATE_PACKETS : 1;
    this.#passMs = nowMs;
    for (let index = 0; index < ready; index++) {
      const port = this.#ports.get(this.#events.view.getInt32(index * EVENT_LENGTH + EVENT_DATA, true));
      for (let packet = 0; packet < most && port && this.#receive(port, nowMs); packet++);
    }
    for (const each of this.#connecting.splice(0)) this.#connectNow(each, nowMs);
    return nowMs;
  }

  /** False when there was nothing to read. */
  #receive(port: Port, nowMs: number): boolean {
    const { fd, isConnected } = port;
    const { at } = this.#packet;
    const length = isConnected ? this.#calls.receive(fd, at, PACKET_MAX, 0) : this.#receiveFrom(port);
    if (length < 0) return false;
    this.#parts[length] ??= this.#packet.octets.subarray(0, length);
    port.hear(this.#parts[length], port.heardAddress, port.heardPort, nowMs);
    return true;
  }

  #receiveFrom(port: Port): number {
    const { at, view, octets } = this.#from;
    this.#fromLength.view.setUint32(0, ADDRESS_LENGTH, true);
    const length = this.#calls.receiveFrom(port.fd, this.#packet.at, PACKET_MAX, 0, at, this.#fromLength.at);
    if (length < 0) return length;
    if (hasOtherSender(port, view)) port.heardAddress = textOf(port.family, octets);
    port.heardPort = view.getUint16(2);
    return length;
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

/** Whether the sender has changed. Remembers the sender. */
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

function addressLength(family: 4 | 6): number {
  return family === 4 ? 16 : 28;
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

/** The loop starts with the first leg. */
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
      rtp[family] = loop.open(family, address, rtpPort, (octets, from, port, nowMs) =>
        receiver.rtp(octets, from, port, nowMs),
      );
      opened.push(rtp[family]);
      rtcp[family] = loop.open(family, address, rtpPort + 1, (octets, from, _port, nowMs) =>
        receiver.rtcp(octets, from, nowMs),
      );
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
    bindToPeer: (family, port, address) => {
      const by = rtp[family];
      if (by) loop.connect(by, port, address);
    },
    release: () => {
      for (const port of Object.values(rtp)) loop.disconnect(port);
    },
    close: (closed) => {
      closeAll();
      closed();
    },
  };
}
