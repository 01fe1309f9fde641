// How many segments a text takes, counted while it is typed. The dry run asks the server, whose count is the one that
// holds.

const GSM7 =
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà";
/** Two septets each. */
const GSM7_EXTENSION = "^{}\\[~]|€\f";

const BASIC = new Set(GSM7);
const EXTENDED = new Set(GSM7_EXTENSION);

export interface SegmentCount {
  readonly encoding: "GSM-7" | "UCS-2";
  readonly used: number;
  /** Of the segments it takes. */
  readonly available: number;
  readonly segments: number;
}

export function countSegments(text: string): SegmentCount {
  const signs = [...text];
  const isGsm = signs.every((sign) => BASIC.has(sign) || EXTENDED.has(sign));
  const used = isGsm ? signs.reduce((sum, sign) => sum + (EXTENDED.has(sign) ? 2 : 1), 0) : text.length;
  const [single, part] = isGsm ? [160, 153] : [70, 67];
  const segments = used <= single ? 1 : Math.ceil(used / part);
  return {
    encoding: isGsm ? "GSM-7" : "UCS-2",
    used,
    available: segments === 1 ? single : segments * part,
    segments,
  };
}
