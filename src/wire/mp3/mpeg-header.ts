// Headers of MPEG audio frames of any version, Layer III (ISO/IEC 11172-3 2.4.1.3, 13818-3, and the extension to low
// sampling rates), and where the audio of a file begins. Total.

const HEADER_OCTETS = 4;
/** In kbit/s; 0: free format or reserved, which is not supported. */
const BITRATES_1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const BITRATES_2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const RATES_1 = [44_100, 48_000, 32_000];
/** By the version's two bits: 2.5, reserved, 2, 1. */
const VERSIONS = [
  { bitrates: BITRATES_2, rates: RATES_1.map((rate) => rate / 4), granules: 1 },
  undefined,
  { bitrates: BITRATES_2, rates: RATES_1.map((rate) => rate / 2), granules: 1 },
  { bitrates: BITRATES_1, rates: RATES_1, granules: 2 },
] as const;
const LAYER_3 = 1;
/** What may stand before the first frame. */
const PREFIX_OCTETS_MAX = 4_096;

/** The length of the frame whose header is at this place; undefined when there is no such header. */
export function mpegFrameLength(octets: Uint8Array, at: number): number | undefined {
  if (at + HEADER_OCTETS > octets.length) return undefined;
  const [first = 0, second = 0, third = 0] = octets.subarray(at, at + HEADER_OCTETS);
  if (first !== 0xff || (second & 0xe0) !== 0xe0 || ((second >> 1) & 3) !== LAYER_3) return undefined;
  const version = VERSIONS[(second >> 3) & 3];
  const bitrate = version?.bitrates[third >> 4] ?? 0;
  const rate = version?.rates[(third >> 2) & 3];
  if (!version || bitrate === 0 || rate === undefined) return undefined;
  return Math.floor((72_000 * version.granules * bitrate) / rate) + ((third >> 1) & 1);
}

/** Where the first of two consecutive frames begins, after an ID3 tag if there is one. */
export function mpegAudioStart(octets: Uint8Array): number | undefined {
  const from = tagLength(octets);
  for (let at = from; at < Math.min(octets.length, from + PREFIX_OCTETS_MAX); at++) {
    const length = mpegFrameLength(octets, at);
    if (length !== undefined && mpegFrameLength(octets, at + length) !== undefined) return at;
  }
  return undefined;
}

/** ID3v2: ten octets, four of which hold the length of the rest, seven bits each. */
function tagLength(octets: Uint8Array): number {
  if (octets.length < 10 || String.fromCharCode(...octets.subarray(0, 3)) !== "ID3") return 0;
  const [a = 0, b = 0, c = 0, d = 0] = octets.subarray(6, 10);
  return 10 + (((a & 0x7f) << 21) | ((b & 0x7f) << 14) | ((c & 0x7f) << 7) | (d & 0x7f));
}
