// tandem.config.json: what is too structured for the environment. Its JSON Schema is published as api/tandem.config.schema.json.

import { z } from "zod";
import { lookupProvidersSchema } from "../adapters/directory/provider-config.ts";

export const configFileSchema = z
  .strictObject({
    $schema: z.string().optional(),
    lookup: z.strictObject({ providers: lookupProvidersSchema }).prefault({}).describe("Carrier lookup."),
    registry: z
      .strictObject({
        upstreamCnpId: z
          .string()
          .regex(/^[A-Z0-9]{1,16}$/)
          .describe("Our id at the campaign registry, named in its migrateCnp."),
      })
      .optional()
      .describe("The campaign registry."),
    sip: z
      .strictObject({
        sourceAddresses: z
          .array(z.union([z.ipv4(), z.ipv6()]))
          .length(2)
          .describe("The two addresses our SIP traffic comes from."),
      })
      .optional()
      .describe("Voice."),
  })
  .describe("Tandem's configuration file.");

export type ConfigFile = z.output<typeof configFileSchema>;

export function configFileJsonSchema(): object {
  return z.toJSONSchema(configFileSchema, { io: "input" });
}
