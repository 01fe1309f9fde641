// Content negotiation: the same JSON text under the preferred one of three media types. Never 406. Also the types of
// files that outsiders made.

const OFFERED = ["application/json", "text/json", "text/plain"] as const;
type Offered = (typeof OFFERED)[number];

const CONTENT_TYPES: Readonly<Record<Offered, string>> = {
  "application/json": "application/json; charset=utf-8",
  "text/json": "text/json; charset=utf-8",
  "text/plain": "text/plain; charset=utf-8",
};

export function contentTypeFor(accept: string | undefined): string {
  if (accept === undefined || accept === "*/*" || accept === "application/json") {
    return CONTENT_TYPES["application/json"];
  }
  let best: Offered = "application/json";
  let bestWeight = 0;
  const ranges = accept.split(",").map(readRange);
  for (const type of OFFERED) {
    const weight = weightOf(type, ranges);
    if (weight > bestWeight) {
      best = type;
      bestWeight = weight;
    }
  }
  return CONTENT_TYPES[best];
}

/** The type under which an outsider's file is served: what a page could load as script or style is octet-stream. */
export function harmlessType(contentType: string): string {
  return /script|css/i.test(contentType) ? "application/octet-stream" : contentType;
}

interface MediaRange {
  readonly type: string;
  readonly weight: number;
}

function readRange(text: string): MediaRange {
  const [type = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
  const q = parameters.find((parameter) => parameter.startsWith("q="));
  const weight = q === undefined ? 1 : Number(q.slice(2));
  return { type, weight: weight >= 0 && weight <= 1 ? weight : 0 };
}

/** RFC 9110 12.5.1: the most specific range that matches gives the weight. */
function weightOf(type: Offered, ranges: readonly MediaRange[]): number {
  const family = `${type.slice(0, type.indexOf("/"))}/*`;
  for (const pattern of [type, family, "*/*"]) {
    const range = ranges.find((candidate) => candidate.type === pattern);
    if (range) return range.weight;
  }
  return 0;
}
