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

/** By the first octets, as Latin-1. ISO 14496-12 4.3: the major brand, after `ftyp`, names the type. */
const SIGNATURES: readonly (readonly [RegExp, MediaType])[] = [
  [/^\xff\xd8\xff/, "image/jpeg"],
  [/^\x89PNG\r\n\cZ\n/, "image/png"],
  [/^GIF8[79]a/, "image/gif"],
  [/^RIFF.{4}WEBP/s, "image/webp"],
  [/^BM.{4}\0{4}/s, "image/bmp"],
  [/^(?:II\*\0|MM\0\*)/, "image/tiff"],
  [/^\0\0\cA[\xb3\xba]/, "video/mpeg"],
  [/^RIFF.{4}WAVE/s, "audio/wav"],
  [/^#!AMR-WB\n/, "audio/amr-wb"],
  [/^#!AMR\n/, "audio/amr"],
  [/^OggS/, "audio/ogg"],
  [/^ID3/, "audio/mpeg"],
  [/^%PDF-/, "application/pdf"],
  [/^.{4}ftyp(?:heic|heix|heim|heis|mif1|msf1)/s, "image/heic"],
  [/^.{4}ftypavi[fs]/s, "image/avif"],
  [/^.{4}ftyp3g[epgrs]/s, "video/3gpp"],
  [/^.{4}ftyp3g2/s, "video/3gpp2"],
  [/^.{4}ftypqt {2}/s, "video/quicktime"],
  [/^.{4}ftypM4[AB] /s, "audio/mp4"],
  [/^.{4}ftyp/s, "video/mp4"],
  // The Matroska header names the document type.
  [/^\cZE\xdf\xa3.*webm/s, "video/webm"],
];

export function sniffType(bytes: Uint8Array): Sniffed {
  const head = String.fromCharCode(...bytes.subarray(0, 64));
  const contentType = SIGNATURES.find(([signature]) => signature.test(head))?.[1] ?? frameType(bytes);
  return contentType === undefined ? sniffText(bytes) : { kind: "media", contentType };
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
