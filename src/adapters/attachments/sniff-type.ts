// Detects the type of a file by its bytes, among the types that phones and carriers accept.

export type Sniffed =
  | { readonly kind: "media"; readonly contentType: MediaType }
  /** Valid UTF-8 without control characters, not markup. */
  | { readonly kind: "text" }
  /** HTML, XML and the like: never media, and dangerous to forward. */
  | { readonly kind: "markup" }
  | { readonly kind: "unknown" };

/** Type → file name extension. */
export const MEDIA_TYPES = {
  "image/jpeg": "jpg",
  "image/png": "png",
  "image/gif": "gif",
  "image/webp": "webp",
  "image/bmp": "bmp",
  "image/tiff": "tif",
  "image/heic": "heic",
  "image/avif": "avif",
  "video/mp4": "mp4",
  "video/3gpp": "3gp",
  "video/3gpp2": "3g2",
  "video/quicktime": "mov",
  "video/webm": "webm",
  "video/mpeg": "mpg",
  "audio/mpeg": "mp3",
  "audio/mp4": "m4a",
  "audio/aac": "aac",
  "audio/amr": "amr",
  "audio/amr-wb": "awb",
  "audio/wav": "wav",
  "audio/ogg": "ogg",
  "application/pdf": "pdf",
  "text/vcard": "vcf",
  "text/calendar": "ics",
  "text/plain": "txt",
} as const;

export type MediaType = keyof typeof MEDIA_TYPES;

const TEXT_LOOK_OCTETS = 64 * 1024;

/** Octets at offsets, as Latin-1; all must match. */
type Mark = readonly (readonly [at: number, octets: string])[];

const MARKS: readonly (readonly [MediaType, Mark])[] = [
  ["image/jpeg", [[0, "\xff\xd8\xff"]]],
  ["image/png", [[0, "\x89PNG\r\n\x1a\n"]]],
  ["image/gif", [[0, "GIF87a"]]],
  ["image/gif", [[0, "GIF89a"]]],
  [
    "image/webp",
    [
      [0, "RIFF"],
      [8, "WEBP"],
    ],
  ],
  [
    "image/bmp",
    [
      [0, "BM"],
      [6, "\0\0\0\0"],
    ],
  ],
  ["image/tiff", [[0, "II*\0"]]],
  ["image/tiff", [[0, "MM\0*"]]],
  ["video/mpeg", [[0, "\0\0\x01\xba"]]],
  ["video/mpeg", [[0, "\0\0\x01\xb3"]]],
  [
    "audio/wav",
    [
      [0, "RIFF"],
      [8, "WAVE"],
    ],
  ],
  ["audio/amr-wb", [[0, "#!AMR-WB\n"]]],
  ["audio/amr", [[0, "#!AMR\n"]]],
  ["audio/ogg", [[0, "OggS"]]],
  ["audio/mpeg", [[0, "ID3"]]],
  ["application/pdf", [[0, "%PDF-"]]],
];

/** ISO 14496-12 4.3: the major brand names the type. */
const BRANDS: readonly (readonly [RegExp, MediaType])[] = [
  [/^(?:heic|heix|heim|heis|mif1|msf1)/, "image/heic"],
  [/^avi[fs]/, "image/avif"],
  [/^3g[epgrs]/, "video/3gpp"],
  [/^3g2/, "video/3gpp2"],
  [/^qt {2}/, "video/quicktime"],
  [/^M4[AB] /, "audio/mp4"],
];

export function sniffType(bytes: Uint8Array): Sniffed {
  const head = latin1(bytes, 64);
  const marked = MARKS.find(([, mark]) => mark.every(([at, octets]) => head.startsWith(octets, at)));
  const contentType = marked?.[0] ?? containerType(head) ?? frameType(bytes);
  return contentType === undefined ? sniffText(bytes) : { kind: "media", contentType };
}

function containerType(head: string): MediaType | undefined {
  // The Matroska header names the document type.
  if (head.startsWith("\x1aE\xdf\xa3")) return head.includes("webm") ? "video/webm" : undefined;
  if (head.slice(4, 8) !== "ftyp") return undefined;
  return BRANDS.find(([brand]) => brand.test(head.slice(8, 12)))?.[1] ?? "video/mp4";
}

/** Audio without a container, which starts with its first frame. */
function frameType(bytes: Uint8Array): MediaType | undefined {
  const [first = 0, second = 0, third = 0] = bytes;
  if (first !== 0xff || bytes.length < 4) return undefined;
  // ISO 13818-7 6.2: twelve ones, layer 0.
  if ((second & 0xf6) === 0xf0) return "audio/aac";
  // ISO 11172-3 2.4.1.3: eleven ones, and no reserved layer, bit rate or sampling frequency.
  const isFrame = (second & 0xe0) === 0xe0 && (second & 0x06) !== 0 && third >> 4 !== 0x0f && (third & 0x0c) !== 0x0c;
  return isFrame ? "audio/mpeg" : undefined;
}

function sniffText(bytes: Uint8Array): Sniffed {
  let text: string;
  try {
    // A character that is cut off at the end of the examined part is not a fault.
    const isWhole = bytes.length <= TEXT_LOOK_OCTETS;
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(0, TEXT_LOOK_OCTETS), { stream: !isWhole });
  } catch {
    return { kind: "unknown" };
  }
  const start = text.trimStart();
  if (start === "") return { kind: "unknown" };
  if (/^<[!?/a-z]/i.test(start)) return { kind: "markup" };
  if (/^BEGIN:VCARD\s/i.test(start)) return { kind: "media", contentType: "text/vcard" };
  if (/^BEGIN:VCALENDAR\s/i.test(start)) return { kind: "media", contentType: "text/calendar" };
  if (/[^\P{Cc}\t\n\f\r]/u.test(text)) return { kind: "unknown" };
  // HTML may begin with any text.
  return /<(?:!doctype|html|head|body|script|iframe)\b/i.test(text) ? { kind: "markup" } : { kind: "text" };
}

function latin1(bytes: Uint8Array, octetsMax: number): string {
  return String.fromCharCode(...bytes.subarray(0, octetsMax));
}
