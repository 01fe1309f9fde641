// The decision at the end of every lookup, as a table: what the numbering plan says, who holds the block, what a live
// source found → the four fields of the answer. Pure.
//
// The block says who was given the number, not who serves it now. A routing number (LRN) says who serves it, so with
// one present type and carrier follow its holder; what a live source states outright wins over both.

import type { ParsedNumber } from "./classify-number.ts";
import type { MessagingStatus, NumberInfo, PhoneType } from "./number-info.ts";
import type { PlanType } from "./numbering-plan.ts";
import type { BlockHolder, LiveFinding } from "./ports.ts";

interface Verdict {
  readonly type: PhoneType;
  readonly status: MessagingStatus;
}

const WIRELESS: Verdict = { type: "Wireless", status: "Active" };
const VOIP: Verdict = { type: "VoIP", status: "Active" };
const LANDLINE: Verdict = { type: "Landline", status: "Inactive" };
/** May well take messages; nothing says it does not. */
const OPEN: Verdict = { type: "Unknown", status: "Active" };
/** Takes no messages unless a live source or the operator says otherwise. */
const SILENT: Verdict = { type: "Unknown", status: "Inactive" };

type LineType = NonNullable<BlockHolder["lineType"]>;

const BY_LINE_TYPE: Readonly<Record<LineType, Verdict>> = {
  Wireless: WIRELESS,
  VoIP: VOIP,
  Landline: LANDLINE,
  Unknown: OPEN,
  Pager: SILENT,
};

export const BY_PLAN_TYPE: Readonly<Record<PlanType, Verdict | "by line type of the holder">> = {
  MOBILE: WIRELESS,
  FIXED_LINE: LANDLINE,
  VOIP: VOIP,
  FIXED_LINE_OR_MOBILE: "by line type of the holder",
  // The specification has no toll-free type; a text-enabled one is told by a live source or an override.
  TOLL_FREE: SILENT,
  PREMIUM_RATE: SILENT,
  SHARED_COST: SILENT,
  PERSONAL_NUMBER: SILENT,
  UAN: SILENT,
  VOICEMAIL: SILENT,
  PAGER: SILENT,
};

const BY_FOUND_TYPE: Readonly<Record<PhoneType, Verdict | undefined>> = {
  Wireless: WIRELESS,
  VoIP: VOIP,
  Landline: LANDLINE,
  // A source that does not know says nothing: the table's word stands.
  Unknown: undefined,
};

/** What the numbering plan and the table say of one number. */
export interface Placed {
  readonly number: ParsedNumber;
  readonly holder: BlockHolder | undefined;
}

export type Found = Extract<LiveFinding, { kind: "found" }>;

export function decideByTable({ number, holder }: Placed): NumberInfo {
  const { type, status } = verdictOf(number.planType, holder);
  // In a range that nobody opened, the block's former or future holder is no carrier of this number.
  const carrierName = number.planType === undefined ? null : (holder?.carrierName ?? null);
  return { number: number.e164, status, type, carrierName };
}

/**
 * `routing` is where the finding's routing number stands; `undefined` with a routing number present means that it could
 * not be placed, and then the number's own block, which it has left, says nothing either.
 */
export function decideByFinding(own: Placed, found: Found, routing: Placed | undefined): NumberInfo {
  const base = decideByTable(
    found.routingNumber === undefined ? own : (routing ?? { number: own.number, holder: undefined }),
  );
  const stated = found.type === undefined ? undefined : BY_FOUND_TYPE[found.type];
  return {
    number: own.number.e164,
    status: found.status ?? stated?.status ?? base.status,
    type: stated?.type ?? base.type,
    carrierName: found.carrierName ?? base.carrierName,
  };
}

function verdictOf(planType: PlanType | undefined, holder: BlockHolder | undefined): Verdict {
  if (planType === undefined) return SILENT;
  const verdict = BY_PLAN_TYPE[planType];
  return verdict === "by line type of the holder" ? BY_LINE_TYPE[holder?.lineType ?? "Unknown"] : verdict;
}
