// The `porting` of tandem.config.json: what processes port orders, and the gateway made from it.

import { z } from "zod";
import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import { type EnvironmentLookup, secretOf } from "../../base/secret-text.ts";
import type { PortingGateway } from "../../domain/porting/index.ts";
import { isServiceUrl, webhookPath } from "../setting-fields.ts";
import { ClearingHouseClient } from "./clearing-house-client.ts";
import { manualGateway } from "./manual-gateway.ts";

const secret = z
  .string()
  .regex(/^(?:env:[A-Za-z_][A-Za-z0-9_]*|(?!env:)[\x21-\x7e]{1,1024})$/, "must be visible ASCII, or env:NAME")
  .describe("The secret itself, or env:NAME to read it from the environment variable NAME.");

const manual = z
  .strictObject({ kind: z.literal("manual").describe("Orders wait for the operator's hand.") })
  .describe("Ports by hand.");

export const httpPorting = z
  .strictObject({
    kind: z.literal("http").describe("Orders go to a clearing house over HTTP."),
    baseUrl: z
      .string()
      .max(2000)
      .refine(isServiceUrl, "must be an https URL (http only to this machine) without credentials, query and fragment")
      .describe("Where the clearing house's /v1 stands. Orders hold PINs, so https unless it is on this machine."),
    token: secret.describe("Our bearer token there, or env:NAME."),
    webhookSecret: secret.describe("What its notifications are signed with, or env:NAME."),
    webhookPath: webhookPath
      .default("/porting/v1/notifications")
      .describe("The path below TANDEM_PUBLIC_URL at which its notifications arrive."),
    deadlineMs: z.int().min(100).max(120_000).default(10_000).describe("Longest wait for an answer, in milliseconds."),
    documentDeadlineMs: z
      .int()
      .min(100)
      .max(600_000)
      .default(60_000)
      .describe("Longest wait while a document is sent, in milliseconds."),
    pollSeconds: z
      .int()
      .min(1)
      .max(86_400)
      .default(60)
      .describe("How often news is asked for, besides when it is notified."),
    concurrencyMax: z.int().min(1).max(100).default(4).describe("Most requests under way at once."),
  })
  .describe("A port clearing house.");

export const portingSettings = z
  .discriminatedUnion("kind", [manual, httpPorting])
  .describe("Who carries port orders out. Without it, the operator does by hand.");

export type PortingSettings = z.output<typeof portingSettings>;

export interface PortingDeps {
  /** The value of an environment variable. */
  readonly secret: EnvironmentLookup;
  readonly clock: Clock;
  readonly log: Log;
}

export interface Porting {
  readonly gateway: PortingGateway;
  /** Absent when no notifications are received. */
  readonly webhook?: { readonly path: string; readonly secret: string };
  readonly pollSeconds?: number;
}

/** Throws when a secret is missing. */
export function makePorting(settings: PortingSettings, deps: PortingDeps): Porting {
  if (settings.kind === "manual") return { gateway: manualGateway(deps.clock) };
  const { webhookSecret, webhookPath, pollSeconds, token, ...options } = settings;
  return {
    gateway: new ClearingHouseClient({ ...options, token: visibleSecretOf(token, deps.secret), log: deps.log }),
    webhook: { path: webhookPath, secret: visibleSecretOf(webhookSecret, deps.secret) },
    pollSeconds,
  };
}

function visibleSecretOf(text: string, environment: EnvironmentLookup): string {
  const value = secretOf(text, environment);
  if (!/^[\x21-\x7e]{1,1024}$/.test(value)) throw new Error(`${text} holds no visible ASCII`);
  return value;
}
