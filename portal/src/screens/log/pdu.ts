// A PDU of SMPP 3.4 in words, from its octets. Total and bounded: what is cut off or no PDU is read as far as it goes.

export interface Pdu {
  /** In the order of the octets. */
  readonly fields: readonly (readonly [string, string])[];
  /** The party outside, as E.164. */
  readonly who: string | undefined;
  /** Of a receipt: "DELIVRD", "REJECTD 070". */
  readonly receipt: string | undefined;
}

const SUBMIT_SM = 0x4;
const DELIVER_SM = 0x5;
const SUBMIT_SM_RESP = 0x80000004;
const HEADER_OCTETS = 16;
const RECEIPT = 0x04;
const HAS_HEADER = 0x40;

/** SMPP 3.4, 5.2.28. */
const STATES = ["", "ENROUTE", "DELIVERED", "EXPIRED", "DELETED", "UNDELIVERABLE", "ACCEPTED", "UNKNOWN", "REJECTED"];

/** Between the addresses and the text; `c` is text up to a zero. */
const MIDDLE: readonly (readonly [string, "1" | "c"])[] = [
  ["protocol_id", "1"],
  ["priority_flag", "1"],
  ["schedule_delivery_time", "c"],
  ["validity_period", "c"],
  ["registered_delivery", "1"],
  ["replace_if_present_flag", "1"],
  ["data_coding", "1"],
  ["sm_default_msg_id", "1"],
];

class Octets {
  readonly #octets: Uint8Array;
  #at: number;

  constructor(octets: Uint8Array, at: number) {
    [this.#octets, this.#at] = [octets, at];
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#octets.length;
  }
  number(size: number): number {
    return this.take(size).reduce((value, octet) => value * 256 + octet, 0);
  }
  take(size: number): Uint8Array {
    const part = this.#octets.subarray(this.#at, this.#at + size);
    this.#at += size;
    return part;
  }
  /** Up to a zero, which is taken, too. */
  words(): string {
    const end = this.#octets.indexOf(0, this.#at);
    const part = this.take((end < 0 ? this.#octets.length : end) - this.#at);
    this.#at += 1;
    return latin(part);
  }
}

const latin = (octets: Uint8Array): string => String.fromCharCode(...octets);
const hexOf = (octets: Uint8Array): string => [...octets].map((octet) => octet.toString(16).padStart(2, "0")).join(" ");

/** The default alphabet is ASCII but for few signs; 8 is UCS-2. Others stay octets. */
function textOf(octets: Uint8Array, coding: number): string {
  if (coding === 8) return new TextDecoder("utf-16be").decode(octets);
  return coding <= 3 && coding !== 2 ? latin(octets) : hexOf(octets);
}

function octetsOf(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/[\da-f]{2}/gi) ?? [], (pair) => Number.parseInt(pair, 16));
}

export function readPdu(hex: string): Pdu {
  const octets = octetsOf(hex);
  const command = new Octets(octets, 4).number(4);
  const body = new Octets(octets, HEADER_OCTETS);
  if (command === SUBMIT_SM_RESP) {
    const fields = body.isAtEnd ? [] : [["message_id", body.words()] as const];
    return { fields, who: undefined, receipt: undefined };
  }
  if (command !== SUBMIT_SM && command !== DELIVER_SM) return { fields: [], who: undefined, receipt: undefined };
  return readMessage(body, command === SUBMIT_SM);
}

function readMessage(body: Octets, isOurs: boolean): Pdu {
  const fields: [string, string][] = [["service_type", body.words()]];
  const [source, destination] = [readAddress("source_addr", body), readAddress("destination_addr", body)];
  fields.push(...source.fields, ...destination.fields);
  const esmClass = body.number(1);
  fields.push(["esm_class", `0x${esmClass.toString(16).padStart(2, "0")}${esmClass & RECEIPT ? " (receipt)" : ""}`]);
  let coding = 0;
  for (const [name, form] of MIDDLE) {
    const value = form === "c" ? body.words() : body.number(1);
    if (name === "data_coding") coding = Number(value);
    fields.push([name, String(value)]);
  }
  const text = body.take(body.number(1));
  const words = esmClass & HAS_HEADER ? hexOf(text) : textOf(text, coding);
  fields.push(["short_message", words]);
  fields.push(...readParameters(body));
  const [, state, error = ""] = (esmClass & RECEIPT && /stat:(\w+)(?: err:(\w+))?/i.exec(words)) || [];
  const receipt = state && (Number(error) === 0 ? state : `${state} ${error}`);
  return { fields: fields.filter(([, value]) => value !== ""), who: (isOurs ? destination : source).number, receipt };
}

function readAddress(name: string, body: Octets): { readonly fields: [string, string][]; readonly number?: string } {
  const [ton, npi, address] = [body.number(1), body.number(1), body.words()];
  const fields: [string, string][] = [
    [name, address],
    [`${name}_ton`, String(ton)],
    [`${name}_npi`, String(npi)],
  ];
  if (!/^\+?\d{3,15}$/.test(address)) return { fields };
  return { fields, number: ton === 1 && !address.startsWith("+") ? `+${address}` : address };
}

/** Of optional parameters those that a receipt has by name, the others by their tag. */
function readParameters(body: Octets): [string, string][] {
  const read: [string, string][] = [];
  while (!body.isAtEnd && read.length < 20) {
    const [tag, size] = [body.number(2), body.number(2)];
    const value = body.take(size);
    if (tag === 0x1e) read.push(["receipted_message_id", latin(value).replace(/\0$/, "")]);
    else if (tag === 0x427) read.push(["message_state", `${value[0] ?? "?"} (${STATES[value[0] ?? 0] || "?"})`]);
    else if (tag === 0x423) read.push(["network_error_code", hexOf(value)]);
    else if (tag === 0x204) read.push(["user_message_reference", String((value[0] ?? 0) * 256 + (value[1] ?? 0))]);
    else read.push([`0x${tag.toString(16).padStart(4, "0")}`, hexOf(value)]);
  }
  return read;
}

const LINE_OCTETS = 16;

/** As `xxd` shows them: place, octets, signs. */
export function dumpOf(hex: string): string {
  const octets = octetsOf(hex);
  return Array.from({ length: Math.ceil(octets.length / LINE_OCTETS) }, (_, line) => {
    const part = octets.subarray(line * LINE_OCTETS, (line + 1) * LINE_OCTETS);
    const place = (line * LINE_OCTETS).toString(16).padStart(4, "0");
    const signs = latin(part).replace(/[^\x20-\x7e]/g, ".");
    return `${place}  ${hexOf(part).padEnd(LINE_OCTETS * 3 - 1)}  ${signs}`;
  }).join("\n");
}
