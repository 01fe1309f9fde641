// The Range header (RFC 9110 14.2): one range of octets. Several ranges, or an unreadable header, count as none: the
// whole is sent then.

export interface ByteRange {
  readonly first: number;
  /** Inclusive. */
  readonly last: number;
}

const RANGE = /^bytes=(\d{0,15})-(\d{0,15})$/i;

/** Undefined: the whole. */
export function readRange(header: string | undefined, size: number): ByteRange | "beyond" | undefined {
  const [, from = "", to = ""] = RANGE.exec(header?.trim() ?? "") ?? [];
  if (from === "" && to === "") return undefined;
  // `-500`: the last 500.
  if (from === "")
    return Number(to) === 0 || size === 0 ? "beyond" : { first: Math.max(0, size - Number(to)), last: size - 1 };
  if (to !== "" && Number(to) < Number(from)) return undefined;
  if (Number(from) >= size) return "beyond";
  return { first: Number(from), last: to === "" ? size - 1 : Math.min(Number(to), size - 1) };
}
