// tandem.config.json: settings with structure. Its JSON Schema is published as api/tandem.config.schema.json.

import { z } from "zod";
import { mediaSettings } from "../../adapters/attachments/media-settings.ts";
import { portingSettings } from "../../adapters/clearing-house/porting-settings.ts";
import { lookupProvidersSchema } from "../../adapters/directory/provider-config.ts";
import { recordingSettings } from "../../adapters/recordings/recording-settings.ts";
import { registrySettings } from "../../adapters/registry/registry-settings.ts";
import { across, objectsIn, repeatedNames } from "../../adapters/setting-fields.ts";
import { speechSettings } from "../../adapters/speech/speech-settings.ts";
import { carrierSchema, routeSchema } from "./carriers.ts";
import { type SchemaNode, schemaOf } from "./setting-words.ts";
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
    media: mediaSettings.optional(),
  })
  .superRefine(({ lookup, carriers, routes, sip }, context) => {
    const add = (path: readonly PropertyKey[], message: string) =>
      context.addIssue({ code: "custom", path: [...path], message });
    objectsIn(lookup?.providers).forEach(({ kind }, provider) => {
      if (kind !== "sip" || sip) return;
      add(
        ["lookup", "providers", provider],
        "a provider of the kind sip asks from sip.sourceAddresses, which are missing",
      );
    });
    const names = objectsIn(carriers).map(({ name }) => name);
    const links = objectsIn(carriers).flatMap(({ smpp, mm4 }) => [...objectsIn(smpp), ...objectsIn(mm4)]);
    for (const name of repeatedNames(objectsIn(carriers))) add(["carriers"], `${name} is the name of two carriers`);
    for (const name of repeatedNames(links)) add(["carriers"], `${name} is the name of two links`);
    objectsIn(routes).forEach(({ to }, route) => {
      objectsIn(to).forEach(({ carrier }, place) => {
        if (carrier === undefined || names.includes(carrier)) return;
        add(["routes", route, "to", place, "carrier"], `there is no carrier ${carrier}`);
      });
    });
  }, across)
  .describe("Tandem's configuration file.");

export type ConfigFile = z.output<typeof configFileSchema>;

export function configFileJsonSchema(): SchemaNode {
  return schemaOf(configFileSchema, "input");
}
