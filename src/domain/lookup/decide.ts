// The decision at the end of every lookup, as tables: numbering plan, holder of the block and finding of a live source
// give the four fields of the answer. Pure.
//
// The block shows who was assigned the number, not who serves it now. A routing number (LRN) shows who serves it, so it
// decides type and carrier if present; what a live source states explicitly wins over both.

import type { ParsedNumber } from "../../../rules/numbers/parse-number.ts";
import type { PlanType } from "../../../rules/numbers/plan-table.ts";
import type { MessagingStatus, NumberInfo, PhoneType } from "./number-info.ts";
import type { BlockHolder, LiveFinding } from "./ports.ts";

interface Verdict {
  readonly type: PhoneType;
  readonly status: MessagingStatus;
}

const WIRELESS: Verdict = { type: "Wireless", status: "Active" };
const VOIP: Verdict = { type: "VoIP", status: "Active" };
const LANDLINE: Verdict = { type: "Landline", status: "Inactive" };
/** Assumed to take messages: nothing indicates otherwise. */
const OPEN: Verdict = { type: "Unknown", status: "Active" };
/** Takes no messages unless a live source or the operator reports otherwise. */
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
  // The specification has no toll-free type; a live source or an override reports a text-enabled one.
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
  // The source does not know the type: the numbering table decides.
  Unknown: undefined,
};

/** A number with its holder in the numbering table. */
export interface Placed {
  readonly number: ParsedNumber;
  readonly holder: BlockHolder | undefined;
}

export type Found = Extract<LiveFinding, { kind: "found" }>;

export function decideByTable({ number, holder }: Placed): NumberInfo {
  const { type, status } = verdictOf(number.planType, holder);
  // In a range that is not in use, the block's former or future holder does not serve this number.
  const carrierName = number.planType === undefined ? null : (holder?.carrierName ?? null);
  return { number: number.e164, status, type, carrierName };
}

/**
 * `routing` is the finding's routing number in the table. `undefined` while the finding has one means that it could not
 * be parsed; the number's own block, which the number has left, is not used then either.
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
