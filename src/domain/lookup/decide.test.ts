import { describe, expect, it } from "vitest";
import type { ParsedNumber } from "../../../rules/numbers/parse-number.ts";
import type { PlanType } from "../../../rules/numbers/plan-table.ts";
import { BY_PLAN_TYPE, decideByFinding, decideByTable, type Found } from "./decide.ts";
import type { BlockHolder } from "./ports.ts";

const number = (planType: PlanType | undefined, e164 = "+12125550100"): ParsedNumber => {
  return { e164, callingCode: "1", country: "US", planType };
};
const holder = (lineType: BlockHolder["lineType"], carrierName = "Alpha"): BlockHolder => {
  return { carrierName, lineType, asOf: new Date(0) };
};

describe("the decision by plan and table", () => {
  it.each([
    ["MOBILE", undefined, "Wireless", "Active"],
    ["MOBILE", "Landline", "Wireless", "Active"],
    ["FIXED_LINE", undefined, "Landline", "Inactive"],
    ["FIXED_LINE", "Wireless", "Landline", "Inactive"],
    ["VOIP", undefined, "VoIP", "Active"],
    ["FIXED_LINE_OR_MOBILE", "Wireless", "Wireless", "Active"],
    ["FIXED_LINE_OR_MOBILE", "VoIP", "VoIP", "Active"],
    ["FIXED_LINE_OR_MOBILE", "Landline", "Landline", "Inactive"],
    ["FIXED_LINE_OR_MOBILE", "Unknown", "Unknown", "Active"],
    ["FIXED_LINE_OR_MOBILE", "Pager", "Unknown", "Inactive"],
    ["FIXED_LINE_OR_MOBILE", undefined, "Unknown", "Active"],
    ["TOLL_FREE", undefined, "Unknown", "Inactive"],
    ["PREMIUM_RATE", undefined, "Unknown", "Inactive"],
    ["SHARED_COST", undefined, "Unknown", "Inactive"],
    ["PERSONAL_NUMBER", undefined, "Unknown", "Inactive"],
    ["UAN", undefined, "Unknown", "Inactive"],
    ["VOICEMAIL", undefined, "Unknown", "Inactive"],
    ["PAGER", undefined, "Unknown", "Inactive"],
  ] as const)("%s held as %s is %s and %s", (planType, lineType, type, status) => {
    expect(Object.keys(BY_PLAN_TYPE)).toContain(planType);
    const info = decideByTable({ number: number(planType), holder: holder(lineType) });
    expect(info).toEqual({ number: "+12125550100", type, status, carrierName: "Alpha" });
  });

  it("knows no carrier where nobody holds the block", () => {
    const info = decideByTable({ number: number("FIXED_LINE_OR_MOBILE"), holder: undefined });
    expect(info).toEqual({ number: "+12125550100", type: "Unknown", status: "Active", carrierName: null });
  });

  it("says nothing of a possible number in no known range, whoever holds the block", () => {
    const info = decideByTable({ number: number(undefined), holder: holder("Wireless") });
    expect(info).toEqual({ number: "+12125550100", type: "Unknown", status: "Inactive", carrierName: null });
  });
});

describe("the decision with a live finding", () => {
  const own = { number: number("FIXED_LINE_OR_MOBILE"), holder: holder("Landline", "Old Bell") };
  const routing = { number: number("FIXED_LINE_OR_MOBILE", "+13125550000"), holder: holder("Wireless", "New Mobile") };
  const decided = (found: Omit<Found, "kind">, place: typeof routing | undefined = undefined) => {
    const { number: _, ...rest } = decideByFinding(own, { kind: "found", ...found }, place);
    return rest;
  };

  it("keeps the table's word when the source only says that nothing changed", () => {
    expect(decided({})).toEqual({ type: "Landline", status: "Inactive", carrierName: "Old Bell" });
  });

  it("follows the routing number's holder, not the number's own block", () => {
    const info = decideByFinding(own, { kind: "found", routingNumber: "+13125550000" }, routing);
    expect(info).toEqual({ number: "+12125550100", type: "Wireless", status: "Active", carrierName: "New Mobile" });
  });

  it("does not fall back to the block a ported number has left", () => {
    const nobody = { type: "Unknown", status: "Active", carrierName: null };
    expect(decided({ routingNumber: "D123" })).toEqual(nobody);
    expect(decided({ routingNumber: "+13125550000" }, { ...routing, holder: undefined as never })).toEqual(nobody);
  });

  it.each([
    [{ type: "VoIP" }, { type: "VoIP", status: "Active", carrierName: "Old Bell" }],
    [{ type: "Wireless" }, { type: "Wireless", status: "Active", carrierName: "Old Bell" }],
    [
      { type: "Landline", status: "Active" },
      { type: "Landline", status: "Active", carrierName: "Old Bell" },
    ],
    [
      { type: "Wireless", status: "Inactive" },
      { type: "Wireless", status: "Inactive", carrierName: "Old Bell" },
    ],
    [{ type: "Unknown" }, { type: "Landline", status: "Inactive", carrierName: "Old Bell" }],
    [{ status: "Active" }, { type: "Landline", status: "Active", carrierName: "Old Bell" }],
    [{ carrierName: "Cloud" }, { type: "Landline", status: "Inactive", carrierName: "Cloud" }],
  ] as const)("of %j is %j", (found, info) => {
    expect(decided(found)).toEqual(info);
  });

  it("lets what the source states win over what its routing number implies", () => {
    expect(decided({ routingNumber: "+13125550000", type: "VoIP", carrierName: "Cloud" }, routing)).toEqual({
      type: "VoIP",
      status: "Active",
      carrierName: "Cloud",
    });
  });

  it("can wake a toll-free number that is text-enabled", () => {
    const tollFree = { number: number("TOLL_FREE", "+18885550100"), holder: undefined };
    expect(decideByFinding(tollFree, { kind: "found", status: "Active" }, undefined).status).toBe("Active");
  });
});
