// The `registry` of tandem.config.json. Only our id is required: without key and secret no request is made to the
// registry, and campaigns are entered by hand.

import { z } from "zod";
import { type EnvironmentLookup, secretOf } from "../../base/secret-text.ts";
import { across, isServiceUrl, secret, webhookPath } from "../setting-fields.ts";

const partnerId = z.string().regex(/^[A-Z0-9]{1,16}$/, "up to 16 capital letters and digits are wanted");
/** The registry allows 20; the difference is for bursts. */
const READS_PER_SECOND_MAX = 15;

export const registrySettings = z
  .strictObject({
    upstreamCnpId: partnerId.describe("Our id at the campaign registry, named in its migrateCnp."),
    shareWithCnpId: partnerId
      .optional()
      .describe(
        "The partner above us: accepting a campaign is sharing it with this one. Absent: there is no partner above us, and a campaign is accepted when it is shared with us.",
      ),
    baseUrl: z
      .string()
      .max(2000)
      .refine(isServiceUrl, "must be an https URL without query or credentials; http is for loopback only")
      .default("https://csp-api.campaignregistry.com/v2")
      .describe("Where the registry's API is."),
    apiKey: secret.optional(),
    secret: secret.optional(),
    webhookPath: webhookPath
      .default("/registry/v1/notifications")
      .describe("The path below TANDEM_PUBLIC_URL at which the registry's notifications arrive."),
    pollSeconds: z
      .number()
      .min(0.1)
      .max(3600)
      .default(60)
      .describe("How often the registry's lists are read, and campaigns under way asked about."),
    attemptMs: z.int().min(10).max(60_000).default(5000).describe("Longest wait for one answer, in milliseconds."),
    deadlineMs: z
      .int()
      .min(10)
      .max(120_000)
      .default(20_000)
      .describe("Longest wait for one request with all its attempts, in milliseconds."),
    requestsPerSecond: z
      .number()
      .min(0.1)
      .max(READS_PER_SECOND_MAX)
      .default(10)
      .describe("How fast the registry is asked in the long run. Writes go no faster than 3 in 2 seconds."),
  })
  .refine((settings) => (settings.apiKey === undefined) === (settings.secret === undefined), {
    ...across,
    path: ["secret"],
    message: "apiKey and secret: both or neither are wanted",
  })
  .describe("The campaign registry.");

export type RegistrySettings = z.output<typeof registrySettings>;

/** Undefined when the settings name none. Throws when the environment lacks one. */
export function registryCredentials({ apiKey, secret }: RegistrySettings, environment: EnvironmentLookup) {
  if (apiKey === undefined || secret === undefined) return undefined;
  return { apiKey: secretOf(apiKey, environment), secret: secretOf(secret, environment) };
}
