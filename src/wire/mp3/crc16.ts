// The CRC-16 of the LAME tag: polynomial 0x8005, reflected, beginning with 0 (CRC-16/ARC).

const TABLE = Uint16Array.from({ length: 256 }, (_, octet) => {
  let crc = octet;
  for (let bit = 0; bit < 8; bit++) crc = (crc & 1) === 0 ? crc >> 1 : (crc >> 1) ^ 0xa001;
  return crc;
});

/** `crc` is the checksum of the preceding octets. */
export function crc16(octets: Uint8Array, crc = 0): number {
  let sum = crc;
  for (let at = 0; at < octets.length; at++) {
    sum = (sum >> 8) ^ (TABLE[(sum ^ (octets[at] as number)) & 0xff] as number);
  }
  return sum;
}
