// tandem.config.json: settings with structure. Its JSON Schema is published as api/tandem.config.schema.json.

import { z } from "zod";
import { portingSettings } from "../../adapters/clearing-house/porting-settings.ts";
import { lookupProvidersSchema } from "../../adapters/directory/provider-config.ts";
import { recordingSettings } from "../../adapters/recordings/recording-settings.ts";
import { registrySettings } from "../../adapters/registry/registry-settings.ts";
import { speechSettings } from "../../adapters/speech/speech-settings.ts";
import { carrierSchema, routeSchema } from "./carriers.ts";
import { sipSchema } from "./sip.ts";

export const configFileSchema = z
  .strictObject({
    $schema: z.string().optional(),
    lookup: z.strictObject({ providers: lookupProvidersSchema }).prefault({}).describe("Carrier lookup."),
    carriers: z.array(carrierSchema).max(64).default([]).describe("Carriers of messages."),
    routes: z.array(routeSchema).max(256).default([]).describe("Which messages go to which carriers."),
    registry: registrySettings.optional(),
    porting: portingSettings.optional(),
    sip: sipSchema.optional(),
    speech: speechSettings,
    recordings: recordingSettings.optional(),
  })
  .superRefine(({ lookup, carriers, routes, sip }, context) => {
    lookup.providers.forEach(({ kind }, provider) => {
      if (kind !== "sip" || sip) return;
      const message = "a provider of the kind sip asks from sip.sourceAddresses, which are missing";
      context.addIssue({ code: "custom", path: ["lookup", "providers", provider], message });
    });
    const names = carriers.map(({ name }) => name);
    const links = carriers.flatMap(({ smpp, mm4 }) => [...smpp, ...mm4].map(({ name }) => name));
    for (const name of twice(names))
      context.addIssue({ code: "custom", path: ["carriers"], message: `${name} is the name of two carriers` });
    for (const name of twice(links))
      context.addIssue({ code: "custom", path: ["carriers"], message: `${name} is the name of two links` });
    routes.forEach(({ to }, route) => {
      for (const { carrier } of to) {
        if (names.includes(carrier)) continue;
        context.addIssue({ code: "custom", path: ["routes", route, "to"], message: `there is no carrier ${carrier}` });
      }
    });
  })
  .describe("Tandem's configuration file.");

function twice(names: readonly string[]): readonly string[] {
  return names.filter((name, index) => names.indexOf(name) !== index);
}

export type ConfigFile = z.output<typeof configFileSchema>;

export function configFileJsonSchema(): object {
  return z.toJSONSchema(configFileSchema, { io: "input" });
}
