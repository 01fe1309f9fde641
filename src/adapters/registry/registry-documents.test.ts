import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  readCampaign,
  readChain,
  readErrors,
  readMigration,
  readMigrationSettings,
  readOperators,
  readRecordSet,
  readSubscription,
} from "./registry-documents.ts";

describe("the registry's documents", () => {
  test("of any kind are read or not, and never throw", () => {
    const names = fc.constantFrom(
      "campaignId",
      "brandId",
      "records",
      "sharedWithMe",
      "sharingStatus",
      "code",
      "10017",
      "tpm",
    );
    const plain = fc.jsonValue({ maxDepth: 1 });
    const inner = fc.oneof(plain, fc.dictionary(names, plain, { maxKeys: 4 }));
    const document = fc.oneof(inner, fc.array(inner, { maxLength: 3 }), fc.dictionary(names, inner, { maxKeys: 5 }));
    fc.assert(
      fc.property(document, document, (one, other) => {
        for (const read of [readCampaign, readChain, readErrors, readMigration, readMigrationSettings, readRecordSet]) {
          expect(() => read(one)).not.toThrow();
        }
        expect(readOperators(one, other).throughput.length).toBeLessThanOrEqual(64);
        readSubscription(one, "CAMPAIGN");
      }),
    );
  });

  test("may lack what we can do without, or have null there", () => {
    const campaign = { campaignId: "C8PWPWB", brandId: "BFHXANR", status: null, description: null, usecase: null };
    expect(readCampaign(campaign)).toMatchObject({ name: "C8PWPWB", status: "Active" });
    expect(readCampaign({ ...campaign, description: 7, usecase: "MIXED" })).toMatchObject({ name: "MIXED" });
    expect(readMigration({ status: "ACTIVE", expirationDate: "some day" })).toEqual({ status: "ACTIVE", reason: "" });
    expect(readChain({ sharedWithMe: null })).toEqual({});
  });

  test.each([
    [{ campaignId: "C8PWPWB" }],
    [{ campaignId: "8PWPWB", brandId: "B" }],
    [{ campaignId: "C8PWPWB", brandId: "BFHXANR", status: "DISSOLVED" }],
  ])("without what we need are not read: %o", (document) => expect(readCampaign(document)).toBeUndefined());

  test("name a campaign by whole characters", () => {
    const description = `${"x".repeat(62)}😀😀😀`;
    const campaign = readCampaign({ campaignId: "C8PWPWB", brandId: "BFHXANR", description });
    expect(campaign?.name).toBe(`${"x".repeat(62)}😀…`);
  });

  test("tell of operators in either list", () => {
    const terms = { "10017": { mno: "AT&T", tpm: 0, mmsTpm: "many" }, "10035": 7 };
    const silent = { messageClass: null, smsPerMinute: null, mmsPerMinute: null, brandTier: null };
    expect(readOperators(terms, { "10035": "SUSPENDED", "10999": {} })).toEqual({
      throughput: [
        { ...silent, operator: "AT&T", smsPerMinute: 0 },
        { ...silent, operator: "10035" },
        { ...silent, operator: "10999" },
      ],
      isSuspended: true,
    });
  });
});
