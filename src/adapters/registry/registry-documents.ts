// The registry's documents: any JSON in, our words or undefined out. Members we do not know are ignored, for new ones may appear; a
// member that is absent may also be null.

import { z } from "zod";
import type { Decline, OperatorTerms, RefusalReason, RegistryError, RegistryFailure } from "./campaign-registry.ts";

const CAMPAIGN_ID = /^C[A-Z0-9]{6,7}$/;
const NAME_LENGTH_MAX = 64;
const OPERATORS_MAX = 64;
const ERRORS_MAX = 20;
/** Codes 591 and 630 ask for it. */
const TEMPORARY_WAIT_MS = 30_000;

export const isCampaignId = (text: string): boolean => CAMPAIGN_ID.test(text);

const text = (lengthMax: number) => z.string().transform((given) => given.slice(0, lengthMax));
const absent = <Schema extends z.ZodType>(schema: Schema) => schema.nullish().catch(undefined);
const date = absent(z.union([z.string().max(64), z.number()]).transform(dateOf));

const campaignDocument = z.object({
  campaignId: z.string().regex(CAMPAIGN_ID),
  brandId: z.string().min(1).max(16),
  status: z.enum(["ACTIVE", "EXPIRED"]).nullish(),
  usecase: absent(text(50)),
  description: absent(text(4096)),
});

const shareDocument = z.object({
  sharingStatus: z.enum(["PENDING", "ACCEPTED", "DECLINED"]),
  rejectionCategory: absent(z.array(text(64)).max(64)),
  explanation: absent(text(2048)),
});

const chainDocument = z.object({
  sharedWithMe: shareDocument.nullish(),
  sharedByMe: shareDocument.nullish(),
});

const migrationDocument = z.object({
  status: z.enum(["ACTIVE", "COMPLETED", "CANCELLED"]),
  cancellationReason: absent(text(2048)),
  expirationDate: date,
});

const recordSetDocument = z.object({ records: z.array(z.unknown()).max(1000), totalRecords: z.int().min(0) });

const operatorDocument = z.object({
  mno: absent(text(64)),
  msgClass: absent(text(16)),
  tpm: absent(z.number().min(0)),
  mmsTpm: absent(z.number().min(0)),
  brandTier: absent(text(32)),
  qualify: absent(z.boolean()),
});

const errorDocument = z.object({
  code: z.int(),
  description: absent(text(500)),
  fields: absent(z.array(text(64)).max(32)),
});

const subscriptionDocument = z.object({ eventCategory: z.string(), webhookEndpoint: z.string() });

const migrationSettingsDocument = z.object({
  migrationSupported: absent(z.boolean()),
  migrationAutoComplete: absent(z.boolean()),
});

export interface CampaignDocument {
  readonly tcrCampaignId: string;
  readonly tcrBrandId: string;
  readonly name: string;
  readonly description: string;
  readonly usecase: string;
  readonly status: "Active" | "Expired";
}

export interface Share {
  readonly status: "PENDING" | "ACCEPTED" | "DECLINED";
  readonly decline: Decline;
}

export interface SharingChain {
  readonly sharedWithUs?: Share;
  readonly sharedByUs?: Share;
}

export interface Migration {
  readonly status: "ACTIVE" | "COMPLETED" | "CANCELLED";
  readonly reason: string;
  readonly expiresOn?: Date;
}

export function readCampaign(document: unknown): CampaignDocument | undefined {
  const { data } = campaignDocument.safeParse(document);
  if (!data) return undefined;
  const description = data.description ?? "";
  const usecase = data.usecase ?? "";
  return {
    tcrCampaignId: data.campaignId,
    tcrBrandId: data.brandId,
    name: nameOf(description) || usecase || data.campaignId,
    description,
    usecase,
    status: data.status === "EXPIRED" ? "Expired" : "Active",
  };
}

/** An unreadable record is counted, and does not keep the others from being read. */
export function readRecordSet(
  document: unknown,
): { campaigns: readonly CampaignDocument[]; unreadable: number; total: number } | undefined {
  const { data } = recordSetDocument.safeParse(document);
  if (!data) return undefined;
  const campaigns = data.records.map(readCampaign).filter((campaign) => campaign !== undefined);
  return { campaigns, unreadable: data.records.length - campaigns.length, total: data.totalRecords };
}

export function readChain(document: unknown): SharingChain | undefined {
  const { data } = chainDocument.safeParse(document);
  return (
    data && {
      ...(data.sharedWithMe && { sharedWithUs: shareOf(data.sharedWithMe) }),
      ...(data.sharedByMe && { sharedByUs: shareOf(data.sharedByMe) }),
    }
  );
}

export function readMigration(document: unknown): Migration | undefined {
  const { data } = migrationDocument.safeParse(document);
  return (
    data && {
      status: data.status,
      reason: data.cancellationReason ?? "",
      ...(data.expirationDate && { expiresOn: data.expirationDate }),
    }
  );
}

/** `terms` is mnoMetadata and `statuses` operationStatus, both by the operator's id; an operator may stand in one of them only. */
export function readOperators(terms: unknown, statuses: unknown): readonly OperatorTerms[] {
  const termsById = membersOf(terms);
  const statusById = membersOf(statuses);
  const ids = [...new Set([...termsById.keys(), ...statusById.keys()])].slice(0, OPERATORS_MAX).sort();
  return ids.map((operatorId) => {
    const { data } = operatorDocument.safeParse(termsById.get(operatorId));
    const status = statusById.get(operatorId);
    return {
      operatorId: operatorId.slice(0, 16),
      operator: data?.mno || operatorId.slice(0, 16),
      ...(typeof status === "string" && { operationStatus: status.slice(0, 32) }),
      ...(data?.msgClass && { messageClass: data.msgClass }),
      ...(typeof data?.tpm === "number" && { smsPerMinute: data.tpm }),
      ...(typeof data?.mmsTpm === "number" && { mmsPerMinute: data.mmsTpm }),
      ...(data?.brandTier && { brandTier: data.brandTier }),
      ...(typeof data?.qualify === "boolean" && { qualifies: data.qualify }),
    };
  });
}

/** The URL that hears of a category's events; undefined where there is none that can be read. */
export function readSubscription(document: unknown, category: string): string | undefined {
  if (!Array.isArray(document)) return undefined;
  const all = document.flatMap((item) => subscriptionDocument.safeParse(item).data ?? []);
  return all.find(({ eventCategory }) => eventCategory === category)?.webhookEndpoint;
}

export function readMigrationSettings(document: unknown): { supported: boolean; autoComplete: boolean } | undefined {
  const { data } = migrationSettingsDocument.safeParse(document);
  return data && { supported: data.migrationSupported ?? false, autoComplete: data.migrationAutoComplete ?? false };
}

const REASONS: Readonly<Record<number, RefusalReason>> = {
  500: "not-the-owner",
  501: "invalid-parameter",
  502: "not-found",
  504: "account-inactive",
  518: "campaign-expired",
  522: "declined-upstream",
  523: "loop-in-chain",
  536: "not-for-mock",
  562: "pending-in-original-chain",
  592: "operation-declined",
};

/** The body of a 400 is an array of errors. */
export function readErrors(document: unknown): RegistryFailure | undefined {
  if (!Array.isArray(document) || document.length === 0) return undefined;
  const errors = document.slice(0, ERRORS_MAX).flatMap((item): RegistryError[] => {
    const { data } = errorDocument.safeParse(item);
    return data ? [{ code: data.code, description: data.description ?? "", fields: data.fields ?? [] }] : [];
  });
  if (errors.length === 0) return undefined;
  const detail = errors.map(({ code, description }) => `${code} ${description}`).join("; ");
  if (errors.some(({ code }) => code === 591 || code === 630)) {
    return { kind: "unavailable", why: "failing", detail, retryAfterMs: TEMPORARY_WAIT_MS };
  }
  if (errors.some(({ code }) => code === 590)) return { kind: "unavailable", why: "failing", detail };
  const known = errors.find(({ code }) => Object.hasOwn(REASONS, code));
  return { kind: "refused", reason: (known && REASONS[known.code]) ?? "other", errors };
}

function shareOf(data: z.output<typeof shareDocument>): Share {
  return {
    status: data.sharingStatus,
    decline: { categories: data.rejectionCategory ?? [], explanation: data.explanation ?? "" },
  };
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
