// Reads the registry's documents: any JSON in, the domain's words or undefined out. Unknown members are ignored, since
// new ones may appear; an absent member may also be null.

import { z } from "zod";
import { CAMPAIGN_ID, type CampaignFacts } from "../../domain/campaigns/index.ts";
import type { ExchangeFault } from "../json-exchange.ts";

const NAME_LENGTH_MAX = 64;
const OPERATORS_MAX = 64;
const ERRORS_MAX = 20;
const TEMPORARY_WAIT_MS = 30_000;

export const isCampaignId = (text: string): boolean => CAMPAIGN_ID.test(text);

const text = (lengthMax: number) => z.string().transform((given) => given.slice(0, lengthMax));
const absent = <Schema extends z.ZodType>(schema: Schema) => schema.nullish().catch(undefined);
const date = absent(z.union([z.string().max(64), z.number()]).transform(dateOf));

const campaignDocument = z
  .object({
    campaignId: z.string().regex(CAMPAIGN_ID),
    brandId: z.string().min(1).max(16),
    status: z.enum(["ACTIVE", "EXPIRED"]).nullish(),
    usecase: absent(text(50)),
    description: absent(text(4096)),
  })
  .transform(({ campaignId, brandId, status, usecase, description }) => ({
    tcrCampaignId: campaignId,
    tcrBrandId: brandId,
    // The registry has no campaign names.
    name: nameOf(description ?? "") || usecase || campaignId,
    status: status === "EXPIRED" ? ("Expired" as const) : ("Active" as const),
  }));

const shareDocument = z
  .object({
    sharingStatus: z.enum(["PENDING", "ACCEPTED", "DECLINED"]),
    rejectionCategory: absent(z.array(text(64)).max(64)),
    explanation: absent(text(2048)),
  })
  .transform(({ sharingStatus, rejectionCategory, explanation }) => ({
    status: sharingStatus,
    /** Why it was declined. */
    categories: rejectionCategory ?? [],
    explanation: explanation ?? "",
  }));

const chainDocument = z
  .object({ sharedWithMe: shareDocument.nullish(), sharedByMe: shareDocument.nullish() })
  .transform(({ sharedWithMe, sharedByMe }) => ({
    ...(sharedWithMe && { sharedWithUs: sharedWithMe }),
    ...(sharedByMe && { sharedByUs: sharedByMe }),
  }));

const migrationDocument = z
  .object({
    status: z.enum(["ACTIVE", "COMPLETED", "CANCELLED"]),
    cancellationReason: absent(text(2048)),
    expirationDate: date,
  })
  .transform(({ status, cancellationReason, expirationDate }) => ({
    status,
    reason: cancellationReason ?? "",
    ...(expirationDate && { expiresOn: expirationDate }),
  }));

const recordSetDocument = z.object({ records: z.array(z.unknown()).max(1000), totalRecords: z.int().min(0) });

const operatorDocument = z.object({
  mno: absent(text(64)),
  msgClass: absent(text(16)),
  tpm: absent(z.number().min(0)),
  mmsTpm: absent(z.number().min(0)),
  brandTier: absent(text(32)),
});

const errorDocument = z.object({ code: z.int(), description: absent(text(500)) });

const subscriptionDocument = z.object({ eventCategory: z.string(), webhookEndpoint: z.string() });

const migrationSettingsDocument = z
  .object({ migrationSupported: absent(z.boolean()), migrationAutoComplete: absent(z.boolean()) })
  .transform(({ migrationSupported, migrationAutoComplete }) => ({
    supported: migrationSupported ?? false,
    autoComplete: migrationAutoComplete ?? false,
  }));

export type CampaignDocument = z.output<typeof campaignDocument>;
export type Share = z.output<typeof shareDocument>;
export type SharingChain = z.output<typeof chainDocument>;
export type Migration = z.output<typeof migrationDocument>;

/** Returns undefined for a document of another shape. */
const readerOf =
  <Schema extends z.ZodType>(schema: Schema) =>
  (document: unknown): z.output<Schema> | undefined =>
    schema.safeParse(document).data;

export const readCampaign = readerOf(campaignDocument);
export const readChain = readerOf(chainDocument);
export const readMigration = readerOf(migrationDocument);
export const readMigrationSettings = readerOf(migrationSettingsDocument);

/** An unreadable record is counted; the others are read. */
export function readRecordSet(
  document: unknown,
): { campaigns: readonly CampaignDocument[]; unreadable: number; total: number } | undefined {
  const { data } = recordSetDocument.safeParse(document);
  if (!data) return undefined;
  const campaigns = data.records.map(readCampaign).filter((campaign) => campaign !== undefined);
  return { campaigns, unreadable: data.records.length - campaigns.length, total: data.totalRecords };
}

export interface Operators {
  readonly throughput: CampaignFacts["throughput"];
  /** One operator's suspension suspends the campaign. */
  readonly isSuspended: boolean;
}

/** `terms` is mnoMetadata and `statuses` operationStatus, both by the operator's id; an operator may be in only one. */
export function readOperators(terms: unknown, statuses: unknown): Operators {
  const termsById = membersOf(terms);
  const statusById = membersOf(statuses);
  const ids = [...new Set([...termsById.keys(), ...statusById.keys()])].slice(0, OPERATORS_MAX).sort();
  const throughput = ids.map((operatorId) => {
    const { data } = operatorDocument.safeParse(termsById.get(operatorId));
    return {
      operator: data?.mno || operatorId.slice(0, 16),
      messageClass: data?.msgClass || null,
      smsPerMinute: data?.tpm ?? null,
      mmsPerMinute: data?.mmsTpm ?? null,
      brandTier: data?.brandTier || null,
    };
  });
  return { throughput, isSuspended: ids.some((operatorId) => statusById.get(operatorId) === "SUSPENDED") };
}

/** The URL that gets a category's events; undefined when there is none that can be read. */
export function readSubscription(document: unknown, category: string): string | undefined {
  if (!Array.isArray(document)) return undefined;
  const all = document.flatMap((item) => subscriptionDocument.safeParse(item).data ?? []);
  return all.find(({ eventCategory }) => eventCategory === category)?.webhookEndpoint;
}

export type RegistryFailure =
  /** The registry will not do this, now or later. */
  | { readonly kind: "refused"; readonly isNotFound: boolean; readonly detail: string }
  /** Our key or secret is wrong. */
  | { readonly kind: "unauthorized"; readonly detail: string }
  /** The outcome is unknown; a later request may succeed. */
  | {
      readonly kind: "unavailable";
      readonly why: ExchangeFault["why"] | "rate-limited" | "failing";
      readonly detail: string;
      readonly retryAfterMs?: number;
    };

/** Faults of the registry itself, and the ones among them that it declares temporary. */
const TROUBLE_CODES = [590, 591, 630];
const TEMPORARY_CODES = [591, 630];
const NOT_FOUND_CODE = 502;

/** The body of a 400 is an array of errors. */
export function readErrors(document: unknown): RegistryFailure | undefined {
  if (!Array.isArray(document)) return undefined;
  const errors = document.slice(0, ERRORS_MAX).flatMap((item) => errorDocument.safeParse(item).data ?? []);
  if (errors.length === 0) return undefined;
  const has = (codes: readonly number[]) => errors.some(({ code }) => codes.includes(code));
  const detail = errors.map(({ code, description }) => `${code} ${description ?? ""}`).join(", ");
  if (!has(TROUBLE_CODES)) return { kind: "refused", isNotFound: has([NOT_FOUND_CODE]), detail };
  const retryAfterMs = has(TEMPORARY_CODES) ? { retryAfterMs: TEMPORARY_WAIT_MS } : {};
  return { kind: "unavailable", why: "failing", detail, ...retryAfterMs };
}

function membersOf(document: unknown): ReadonlyMap<string, unknown> {
  const isObject = typeof document === "object" && document !== null && !Array.isArray(document);
  return new Map(isObject ? Object.entries(document) : []);
}

function nameOf(description: string): string {
  const line = description.replace(/\s+/g, " ").trim();
  const points = [...line];
  return points.length <= NAME_LENGTH_MAX ? line : `${points.slice(0, NAME_LENGTH_MAX - 1).join("")}…`;
}

function dateOf(given: string | number): Date | undefined {
  const at = new Date(given);
  return Number.isNaN(at.getTime()) ? undefined : at;
}
