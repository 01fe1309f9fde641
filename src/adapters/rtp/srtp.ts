// SRTP (RFC 3711) with the keys of an SDP (RFC 4568): AES_CM_128_HMAC_SHA1_80 and _32.
//
// Guarantees: a packet that is not authentic, or is a replay, is not decrypted; no two packets are encrypted with the
// same index, so that no keystream is used twice, whatever sequence numbers are relayed.

import { createCipheriv, createHmac, timingSafeEqual } from "node:crypto";
import { payloadStart, RTP_HEADER_LENGTH, readU16, readU32, writeU32 } from "../../wire/rtp/packet.ts";
import { PacketIndex } from "../../wire/rtp/packet-index.ts";
import type { CryptoSuite, StreamKey } from "../../wire/sdp/negotiate.ts";

const RTCP_TAG_LENGTH = 10;
const RTP_TAG_LENGTH: Readonly<Record<CryptoSuite, number>> = {
  AES_CM_128_HMAC_SHA1_80: 10,
  AES_CM_128_HMAC_SHA1_32: 4,
};
/** A peer has one source, two while it changes from one to the next. */
const SOURCES_MAX = 4;
const RTCP_INDEX_MAX = 0x7fffffff;

interface SessionKeys {
  readonly encryption: Buffer;
  readonly authentication: Buffer;
  readonly salt: Buffer;
}

export class Protection {
  readonly #tagLength: number;
  readonly #ours: DerivedKeys;
  readonly #theirs: DerivedKeys;
  readonly #key: string;
  readonly #sent: PacketIndex;
  readonly #heard = new Map<number, PacketIndex>();
  readonly #heardReports = new PacketIndex();
  #reports: number;

  /** `earlier`: the leg's protection so far. If our key stays the same, our packet indexes continue. */
  constructor({ ours, theirs }: { readonly ours: StreamKey; readonly theirs: StreamKey }, earlier?: Protection) {
    const goesOn = earlier !== undefined && earlier.#key === ours.keyAndSalt;
    this.#key = ours.keyAndSalt;
    this.#sent = goesOn ? earlier.#sent : new PacketIndex();
    this.#reports = goesOn ? earlier.#reports : 0;
    this.#tagLength = RTP_TAG_LENGTH[ours.suite];
    this.#ours = deriveKeys(ours.keyAndSalt);
    this.#theirs = deriveKeys(theirs.keyAndSalt);
  }

  /** Decrypts in the same buffer; `undefined` when the packet is rejected. */
  openRtp(octets: Uint8Array): Uint8Array | undefined {
    const end = octets.length - this.#tagLength;
    const start = payloadStart(octets);
    if (start === undefined || start > end) return undefined;
    const ssrc = readU32(octets, 8);
    const indexes = this.#heard.get(ssrc) ?? new PacketIndex();
    const index = indexes.guess(readU16(octets, 2));
    if (!indexes.isNew(index)) return undefined;
    const keys = this.#theirs.rtp;
    const tag = rtpTag(keys, octets.subarray(0, end), index, this.#tagLength);
    if (!timingSafeEqual(tag, octets.subarray(end))) return undefined;
    indexes.use(index);
    this.#remember(ssrc, indexes);
    octets.set(crypt(keys, ssrc, index, octets.subarray(start, end)), start);
    return octets.subarray(0, end);
  }

  /** `undefined` when a packet with this sequence number was sent before. */
  sealRtp(octets: Uint8Array): Uint8Array | undefined {
    const index = this.#sent.guess(readU16(octets, 2));
    if (!this.#sent.isNew(index)) return undefined;
    this.#sent.use(index);
    const sealed = new Uint8Array(octets.length + this.#tagLength);
    sealed.set(octets.subarray(0, RTP_HEADER_LENGTH));
    const keys = this.#ours.rtp;
    sealed.set(crypt(keys, readU32(octets, 8), index, octets.subarray(RTP_HEADER_LENGTH)), RTP_HEADER_LENGTH);
    sealed.set(rtpTag(keys, sealed.subarray(0, octets.length), index, this.#tagLength), octets.length);
    return sealed;
  }

  openRtcp(octets: Uint8Array): Uint8Array | undefined {
    const end = octets.length - RTCP_TAG_LENGTH - 4;
    if (end < 8) return undefined;
    const keys = this.#theirs.rtcp;
    const trailer = readU32(octets, end);
    const index = trailer & RTCP_INDEX_MAX;
    if (!this.#heardReports.isNew(index)) return undefined;
    const tag = tagOf(keys, octets.subarray(0, end + 4)).subarray(0, RTCP_TAG_LENGTH);
    if (!timingSafeEqual(tag, octets.subarray(end + 4))) return undefined;
    this.#heardReports.use(index);
    const isEncrypted = trailer >>> 31 === 1;
    if (isEncrypted) octets.set(crypt(keys, readU32(octets, 4), index, octets.subarray(8, end)), 8);
    return octets.subarray(0, end);
  }

  sealRtcp(octets: Uint8Array): Uint8Array {
    const index = this.#reports++ & RTCP_INDEX_MAX;
    const keys = this.#ours.rtcp;
    const sealed = new Uint8Array(octets.length + 4 + RTCP_TAG_LENGTH);
    sealed.set(octets.subarray(0, 8));
    sealed.set(crypt(keys, readU32(octets, 4), index, octets.subarray(8)), 8);
    writeU32(sealed, octets.length, (index | 0x80000000) >>> 0);
    sealed.set(tagOf(keys, sealed.subarray(0, octets.length + 4)).subarray(0, RTCP_TAG_LENGTH), octets.length + 4);
    return sealed;
  }

  #remember(ssrc: number, indexes: PacketIndex): void {
    if (this.#heard.has(ssrc)) return;
    const [oldest] = this.#heard.keys();
    if (this.#heard.size >= SOURCES_MAX && oldest !== undefined) this.#heard.delete(oldest);
    this.#heard.set(ssrc, indexes);
  }
}

interface DerivedKeys {
  readonly rtp: SessionKeys;
  readonly rtcp: SessionKeys;
}

/** RFC 3711 4.3: the labels 0 to 2 are those of RTP, 3 to 5 those of RTCP. */
function deriveKeys(keyAndSalt: string): DerivedKeys {
  const octets = Buffer.from(keyAndSalt, "base64");
  const key = octets.subarray(0, 16);
  const derive = (label: number, length: number) => {
    const vector = Buffer.alloc(16);
    octets.copy(vector, 0, 16, 30);
    vector[7] = (vector[7] as number) ^ label;
    return createCipheriv("aes-128-ctr", key, vector).update(Buffer.alloc(length));
  };
  const keysFrom = (label: number): SessionKeys => ({
    encryption: derive(label, 16),
    authentication: derive(label + 1, 20),
    salt: derive(label + 2, 14),
  });
  return { rtp: keysFrom(0), rtcp: keysFrom(3) };
}

/** RFC 3711 4.1.1. Encrypts and decrypts alike. */
function crypt({ encryption, salt }: SessionKeys, ssrc: number, index: number, octets: Uint8Array): Uint8Array {
  const vector = Buffer.alloc(16);
  salt.copy(vector);
  const xor = (place: number, value: number) => writeU32(vector, place, (readU32(vector, place) ^ value) >>> 0);
  xor(4, ssrc);
  xor(8, Math.floor(index / 0x10000));
  vector[12] = (vector[12] as number) ^ ((index >>> 8) & 0xff);
  vector[13] = (vector[13] as number) ^ (index & 0xff);
  return createCipheriv("aes-128-ctr", encryption, vector).update(octets);
}

/** RFC 3711 4.2: over the packet and the rollover counter. */
function rtpTag(keys: SessionKeys, packet: Uint8Array, index: number, length: number): Uint8Array {
  const rollovers = Buffer.alloc(4);
  writeU32(rollovers, 0, Math.floor(index / 0x10000));
  return createHmac("sha1", keys.authentication).update(packet).update(rollovers).digest().subarray(0, length);
}

function tagOf({ authentication }: SessionKeys, octets: Uint8Array): Uint8Array {
  return createHmac("sha1", authentication).update(octets).digest();
}
