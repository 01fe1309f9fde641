// Reads the fields of one PDU and never beyond it. Keeps the first fault and the status to answer it with. After a
// fault every read returns an empty value, so a decoder reads all fields and checks the status once at the end.

import { allocateOctets } from "./octet-pool.ts";
import { STATUS } from "./statuses.ts";
import { NO_TLVS, type OtherTlv, TLV_TEXT_MAX, type TlvKind, type TlvName, type Tlvs, tlvOfTag } from "./tlv.ts";

const NO_OCTETS = new Uint8Array(0);

export class PduReader {
  readonly #bytes: Uint8Array;
  #at: number;
  #end: number;
  status = 0;
  reason = "";

  constructor(bytes: Uint8Array, start: number, end: number) {
    this.#bytes = bytes;
    this.#at = start;
    this.#end = end;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#end;
  }

  u8(name: string): number {
    if (this.#at < this.#end) return this.#bytes[this.#at++] as number;
    this.#fail(STATUS.ESME_RINVCMDLEN, name, "is missing");
    return 0;
  }

  /** A C-octet string of at most `octetsMax` octets, the NUL included. */
  text(name: string, octetsMax: number, status: number): string {
    const bytes = this.#bytes;
    const start = this.#at;
    const limit = Math.min(this.#end, start + octetsMax);
    let nul = start;
    while (nul < limit && bytes[nul] !== 0) nul++;
    if (nul < limit) {
      this.#at = nul + 1;
      return latin1(bytes, start, nul);
    }
    if (limit === this.#end) this.#fail(STATUS.ESME_RINVCMDLEN, name, "does not end");
    else this.#fail(status, name, `is longer than ${octetsMax - 1}`);
    return "";
  }

  octets(name: string, length: number): Uint8Array {
    if (length === 0) return NO_OCTETS;
    if (length > this.#end - this.#at) {
      this.#fail(STATUS.ESME_RINVCMDLEN, name, "is cut off");
      return NO_OCTETS;
    }
    this.#at += length;
    return copy(this.#bytes, this.#at - length, this.#at);
  }

  shortMessage(octetsMax: number): Uint8Array {
    const length = this.u8("sm_length");
    if (length > octetsMax) this.#fail(STATUS.ESME_RINVMSGLEN, "short_message", `is longer than ${octetsMax}`);
    return this.octets("short_message", this.status === 0 ? length : 0);
  }

  tlvs(): Tlvs {
    if (this.#at >= this.#end) return NO_TLVS;
    const known: Record<string, unknown> = {};
    const others: OtherTlv[] = [];
    while (this.#at < this.#end) {
      if (this.#end - this.#at < 4) {
        this.#fail(STATUS.ESME_RINVOPTPARSTREAM, "TLV", "is cut off");
        return NO_TLVS;
      }
      const bytes = this.#bytes;
      const tag = ((bytes[this.#at] as number) << 8) | (bytes[this.#at + 1] as number);
      const length = ((bytes[this.#at + 2] as number) << 8) | (bytes[this.#at + 3] as number);
      const start = this.#at + 4;
      if (length > this.#end - start) {
        this.#fail(STATUS.ESME_RINVOPTPARSTREAM, "TLV", "is longer than the PDU");
        return NO_TLVS;
      }
      this.#at = start + length;
      const type = tlvOfTag(tag);
      const value = type && known[type.name] === undefined ? this.#tlvValue(type.kind, start, length) : undefined;
      if (type && value !== undefined) known[type.name] = value;
      else others.push({ tag, value: copy(bytes, start, this.#at) });
    }
    if (others.length > 0) known.others = others;
    return known as Tlvs;
  }

  /** Nothing more may follow. */
  finish(): void {
    if (this.#at < this.#end) this.#fail(STATUS.ESME_RINVCMDLEN, "body", "is longer than the command's");
  }

  #tlvValue(kind: TlvKind, start: number, length: number): Tlvs[TlvName] {
    const bytes = this.#bytes;
    switch (kind) {
      case "u8":
        return length === 1 ? bytes[start] : undefined;
      case "u16":
        return length === 2 ? ((bytes[start] as number) << 8) | (bytes[start + 1] as number) : undefined;
      case "u32":
        return length === 4 ? readU32(bytes, start) : undefined;
      case "flag":
        return length === 0 ? true : undefined;
      case "octets":
        return copy(bytes, start, start + length);
      case "text": {
        // The value should end with a NUL, which many peers leave out.
        const last = length > 0 && bytes[start + length - 1] === 0 ? start + length - 1 : start + length;
        for (let at = start; at < last; at++) if (bytes[at] === 0) return undefined;
        return last - start < TLV_TEXT_MAX ? latin1(bytes, start, last) : undefined;
      }
    }
  }

  #fail(status: number, name: string, why: string): void {
    if (this.status !== 0) return;
    this.status = status;
    this.reason = `${name} ${why}`;
    this.#at = this.#end;
  }
}

export function readU32(bytes: Uint8Array, at: number): number {
  return (
    (((bytes[at] as number) << 24) |
      ((bytes[at + 1] as number) << 16) |
      ((bytes[at + 2] as number) << 8) |
      (bytes[at + 3] as number)) >>>
    0
  );
}

/** Copies, so that a decoded value does not keep the socket's chunk alive. */
function copy(bytes: Uint8Array, start: number, end: number): Uint8Array {
  const octets = allocateOctets(end - start);
  for (let at = start; at < end; at++) octets[at - start] = bytes[at] as number;
  return octets;
}

function latin1(bytes: Uint8Array, start: number, end: number): string {
  let text = "";
  for (let at = start; at < end; at++) text += String.fromCharCode(bytes[at] as number);
  return text;
}
