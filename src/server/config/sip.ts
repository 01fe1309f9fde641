// SIP in tandem.config.json: the source addresses of our traffic, and the trunks.

import { z } from "zod";
import { across, objectsIn, pem, repeatedNames } from "../../adapters/setting-fields.ts";
import { TrunkPlaces } from "../../adapters/sip/trunk-places.ts";
import { trunkSettings } from "../../adapters/sip/trunk-settings.ts";
import { parseNumber } from "../../domain/lookup/index.ts";
import type { DialRules } from "../../domain/voice/index.ts";

const ip = z.union([z.ipv4(), z.ipv6()], "an IP address is wanted");

const sourceAddress = z
  .union(
    [
      ip.transform((address) => ({ address, publicAddress: undefined })),
      z.strictObject({
        address: ip.describe("Of this machine."),
        publicAddress: ip.optional().describe("What peers see and reach, behind a NAT."),
      }),
    ],
    "an IP address is wanted, or an object with address and publicAddress",
  )
  .describe("An address, or one with the public address that a NAT gives it.");

export const sipSchema = z
  .strictObject({
    sourceAddresses: z
      .array(sourceAddress)
      .min(1)
      .max(2)
      .describe("One or two addresses that our SIP traffic comes from; the second is used when the first fails."),
    tls: z
      .strictObject({
        cert: pem.describe("PEM text or a path."),
        key: pem.describe("Its key. PEM text or a path."),
      })
      .optional()
      .describe("Our certificate for callers by TLS. Default: the API's (TANDEM_TLS_CERT), where it has one."),
    trunks: z.array(trunkSettings).max(64).default([]).describe("Ways to the telephone network."),
    digests: z
      .array(z.enum(["SHA-256", "MD5"]))
      .min(1)
      .max(2)
      .default(["SHA-256", "MD5"])
      .describe(
        "How trunks prove callers and registrar, in order of preference. Old ones may fail where two are offered.",
      ),
    toneCountry: z
      .string()
      .regex(/^[A-Z]{2}$/, "must be two capital letters, such as DE")
      .optional()
      .describe("Whose ringing and busy tones parties hear. By default those of their own number's country."),
    emergencyTrunk: z
      .string()
      .optional()
      .describe("The trunk by which emergency calls go out. By default they are refused."),
  })
  .superRefine(({ trunks, emergencyTrunk }, context) => {
    const names = objectsIn(trunks).map(({ name }) => name);
    for (const name of repeatedNames(objectsIn(trunks)))
      context.addIssue({ code: "custom", path: ["trunks"], message: `${name} is the name of two trunks` });
    const registering = objectsIn(objectsIn(trunks).flatMap(({ registrar }) => registrar ?? []));
    for (const name of repeatedNames(registering.map(({ username }) => ({ name: username }))))
      context.addIssue({ code: "custom", path: ["trunks"], message: `two trunks register as ${name}` });
    if (emergencyTrunk !== undefined && !names.includes(emergencyTrunk))
      context.addIssue({ code: "custom", path: ["emergencyTrunk"], message: `there is no trunk ${emergencyTrunk}` });
  }, across)
  .describe("Voice.");

export type SipSettings = z.output<typeof sipSchema>;

/** The rules for call destinations that follow from the trunks. */
export function dialRules(sip: SipSettings | undefined): DialRules {
  const trunks = sip?.trunks.map((trunk) => new TrunkPlaces(trunk)) ?? [];
  return {
    emergencyTrunk: sip?.emergencyTrunk,
    isTrunk: (place) => trunks.some((places) => places.has(place)),
    readNumber: parseNumber,
  };
}
