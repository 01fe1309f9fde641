// Writes PDUs one after another into a reused buffer; `take` returns a copy of them and empties the buffer. A field
// that does not fit discards its PDU, with a reason; the PDUs before it stay.

import { COMMAND_ID, type CommandName } from "./commands.ts";
import { allocateOctets } from "./octet-pool.ts";
import { TLV, TLV_TEXT_MAX, type TlvName, type Tlvs } from "./tlv.ts";

export const PDU_LENGTH_MAX = 0x10000;

// Fields may be written past PDU_LENGTH_MAX before the length is checked: at most a body's fixed fields, or the header
// and text of one TLV.
const OVERRUN_MAX = 1024;
// For shorter arrays a loop is faster than calling `set`.
const LOOP_COPY_MAX = 256;

export class PduWriter {
  #bytes = new Uint8Array(2 * (PDU_LENGTH_MAX + OVERRUN_MAX));
  #at = 0;
  #start = 0;
  #fault: string | undefined;

  get length(): number {
    return this.#at;
  }

  begin(command: CommandName, status: number, sequence: number): void {
    if (this.#at + PDU_LENGTH_MAX + OVERRUN_MAX > this.#bytes.length) this.#grow();
    this.#start = this.#at;
    this.#fault = undefined;
    this.#at += 4;
    this.u32("command", COMMAND_ID[command]);
    this.u32("status", status);
    this.u32("sequence", sequence);
  }

  /** The reason why the PDU could not be written, or nothing. */
  end(): string | undefined {
    const length = this.#at - this.#start;
    if (this.#fault === undefined && length > PDU_LENGTH_MAX) this.#fault = "PDU longer than 64 KiB";
    if (this.#fault !== undefined) {
      this.#at = this.#start;
      return this.#fault;
    }
    this.#put32(this.#start, length);
    return undefined;
  }

  clear(): void {
    this.#at = 0;
  }

  take(): Uint8Array {
    const taken = allocateOctets(this.#at);
    const bytes = this.#bytes;
    if (taken.length > LOOP_COPY_MAX) taken.set(bytes.subarray(0, this.#at));
    else for (let at = 0; at < taken.length; at++) taken[at] = bytes[at] as number;
    this.#at = 0;
    return taken;
  }

  u8(name: string, value: number): void {
    if (value !== (value & 0xff)) this.#fail(name, "out of range");
    this.#bytes[this.#at++] = value;
  }

  u16(name: string, value: number): void {
    if (value !== (value & 0xffff)) this.#fail(name, "out of range");
    this.#bytes[this.#at++] = value >> 8;
    this.#bytes[this.#at++] = value;
  }

  u32(name: string, value: number): void {
    if (value !== value >>> 0) this.#fail(name, "out of range");
    this.#put32(this.#at, value);
    this.#at += 4;
  }

  /** A C-octet string: `octetsMax` counts the NUL, as the specification's tables do. */
  text(name: string, value: string, octetsMax: number): void {
    const { length } = value;
    if (length >= octetsMax) {
      this.#fail(name, `longer than ${octetsMax - 1}`);
      return;
    }
    const bytes = this.#bytes;
    let at = this.#at;
    for (let index = 0; index < length; index++) {
      const code = value.charCodeAt(index);
      if (code === 0 || code > 0xff) {
        this.#fail(name, "holds a character that SMPP cannot carry");
        return;
      }
      bytes[at++] = code;
    }
    bytes[at++] = 0;
    this.#at = at;
  }

  octets(name: string, value: Uint8Array, octetsMax: number): void {
    if (value.length > octetsMax) {
      this.#fail(name, `longer than ${octetsMax}`);
      return;
    }
    if (this.#at + value.length > this.#start + PDU_LENGTH_MAX) {
      this.#fail(name, "makes the PDU longer than 64 KiB");
      return;
    }
    const bytes = this.#bytes;
    const start = this.#at;
    if (value.length > LOOP_COPY_MAX) bytes.set(value, start);
    else for (let at = 0; at < value.length; at++) bytes[start + at] = value[at] as number;
    this.#at = start + value.length;
  }

  tlvs(tlvs: Tlvs): void {
    for (const name in tlvs) if (name !== "others") this.#tlv(name as TlvName, tlvs[name as TlvName]);
    if (tlvs.others === undefined) return;
    for (const { tag, value } of tlvs.others) {
      this.#tlvHead("tag", tag, value.length);
      this.octets("TLV", value, 0xffff);
    }
  }

  #tlv(name: TlvName, value: Tlvs[TlvName]): void {
    const { tag, kind } = TLV[name];
    if (kind === "u8" || kind === "u16" || kind === "u32") {
      this.#tlvHead(name, tag, kind === "u8" ? 1 : kind === "u16" ? 2 : 4);
      this[kind](name, value as number);
    } else if (kind === "flag") {
      this.#tlvHead(name, tag, 0);
    } else if (kind === "text") {
      this.#tlvHead(name, tag, (value as string).length + 1);
      this.text(name, value as string, TLV_TEXT_MAX);
    } else {
      this.#tlvHead(name, tag, (value as Uint8Array).length);
      this.octets(name, value as Uint8Array, 0xffff);
    }
  }

  #tlvHead(name: string, tag: number, length: number): void {
    if (this.#at > this.#start + PDU_LENGTH_MAX) this.#fail(name, "makes the PDU longer than 64 KiB");
    if (this.#fault !== undefined) return;
    this.u16(name, tag);
    this.u16(name, length);
  }

  #grow(): void {
    const larger = new Uint8Array(this.#bytes.length * 2);
    larger.set(this.#bytes);
    this.#bytes = larger;
  }

  #put32(at: number, value: number): void {
    const bytes = this.#bytes;
    bytes[at] = value >>> 24;
    bytes[at + 1] = value >>> 16;
    bytes[at + 2] = value >>> 8;
    bytes[at + 3] = value;
  }

  #fail(name: string, why: string): void {
    this.#fault ??= `${name} ${why}`;
  }
}
