// Carriers and routes in tandem.config.json.

import { z } from "zod";
import { mm4Settings } from "../../adapters/mm4/mm4-settings.ts";
import { nameOf } from "../../adapters/setting-fields.ts";
import { linkSettings } from "../../adapters/smpp/link-settings.ts";
import { statusSettings } from "../../adapters/smpp/status-rules.ts";

const prefix = z
  .string()
  .regex(/^(?:\+|\+?\d{1,15})$/, "the beginning of a number is wanted, such as +1415, or + for every number");

export const carrierSchema = z
  .strictObject({
    name: nameOf("carrier"),
    smpp: z.array(linkSettings).max(16).default([]).describe("Its links for texts; a message may take any of them."),
    statuses: statusSettings.optional(),
    mm4: z.array(mm4Settings).max(4).default([]).describe("Its links for MMS."),
  })
  .describe("A carrier that takes and brings messages.");

export type CarrierSettings = z.output<typeof carrierSchema>;

export const routeSchema = z
  .strictObject({
    senders: z.array(prefix).max(1000).default([]).describe("Beginnings of senders' numbers; by default any."),
    destinations: z.array(prefix).max(1000).default([]).describe("Beginnings of recipients' numbers; by default any."),
    carriers: z
      .array(z.string().min(1).max(128))
      .max(1000)
      .default([])
      .describe("Recipients' carriers as looked up; by default any."),
    to: z
      .array(z.strictObject({ carrier: z.string(), weight: z.number().positive().max(1_000_000).default(1) }))
      .min(1)
      .max(64)
      .describe("Carriers by name, with their share; one that is down leaves its share to the others."),
  })
  .describe("The first route that fits a message decides; without any every carrier may take it.");
