// Numbers of the inventory that are not assigned to an account, in Twilio's shape, by country and kind.

import { z } from "zod";
import { ok } from "../../base/result.ts";
import { nationalFormat, type ParsedNumber, parseNumber } from "../../domain/lookup/index.ts";
import type { InventoryNumber, NumberFeature } from "../../domain/numbers/index.ts";
import { anyText } from "../http/core/schemas.ts";
import { API_VERSION, refusing, type TwilioOperation, twilioOperation } from "./operation.ts";

/** How many numbers of the inventory are searched. */
const STOCK_MAX = 10_000;
const SHOWN_MAX = 1_000;

export const areaCode = z
  .string()
  .regex(/^[2-9]\d{2}$/, "An area code is the three digits after +1.")
  .optional();

const QUERY = {
  AreaCode: areaCode,
  Contains: z
    .string()
    .regex(/^\+?\d{1,15}$/, "1 to 15 digits are allowed.")
    .optional(),
  SmsEnabled: z.boolean().optional(),
  MmsEnabled: z.boolean().optional(),
  VoiceEnabled: z.boolean().optional(),
  PageSize: z.int().min(1).default(50),
  ...refusing(
    "Beta Distance ExcludeAllAddressRequired ExcludeForeignAddressRequired ExcludeLocalAddressRequired FaxEnabled InLata InLocality InPostalCode InRateCenter InRegion NearLatLong NearNumber Page PageToken",
  ),
};

type Kind = "Local" | "Mobile" | "TollFree";

function kindOf({ planType }: ParsedNumber): Kind {
  if (planType === "TOLL_FREE") return "TollFree";
  return planType === "MOBILE" ? "Mobile" : "Local";
}

function showNumber({ number, features }: InventoryNumber, { country }: ParsedNumber): object {
  const has = (feature: NumberFeature) => features.includes(feature);
  return {
    address_requirements: "none",
    beta: false,
    capabilities: { fax: false, mms: has("MMS"), sms: has("SMS"), voice: has("VOICE") },
    friendly_name: nationalFormat(number),
    iso_country: country ?? null,
    ...{ lata: null, latitude: null, locality: null, longitude: null, postal_code: null, rate_center: null },
    phone_number: number,
    region: null,
  };
}

export const twilioAvailableOperations = (["Local", "Mobile", "TollFree"] as const).map(
  (kind: Kind): TwilioOperation<unknown> => {
    const name = kind.charAt(0).toLowerCase() + kind.slice(1);
    return twilioOperation({
      id: `twilioListAvailable${kind}`,
      client: `availablePhoneNumbers(country).${name}.list`,
      summary: "Numbers that can be had",
      differs: "All on one page. `Contains` takes digits alone.",
      route: `GET /AvailablePhoneNumbers/{CountryCode}/${kind}.json`,
      params: { CountryCode: anyText(64) },
      query: QUERY,
      async handle({ account, params: { CountryCode }, query }, unit) {
        const { AreaCode, Contains, PageSize } = query;
        const wanted = Object.entries({ SMS: query.SmsEnabled, MMS: query.MmsEnabled, VOICE: query.VoiceEnabled });
        const stock = await unit.inventory.available({ areaCode: AreaCode, contains: Contains, quantity: STOCK_MAX });
        const found = stock.flatMap((item) => {
          const read = parseNumber(item.number);
          if (!read.ok || kindOf(read.value) !== kind || read.value.country !== CountryCode.toUpperCase()) return [];
          const fits = wanted.every(
            ([feature, isOn]) => isOn === undefined || item.features.includes(feature as NumberFeature) === isOn,
          );
          return fits ? [showNumber(item, read.value)] : [];
        });
        const uri = `/${API_VERSION}/Accounts/${account.sid}/AvailablePhoneNumbers/${CountryCode}/${kind}.json`;
        const available_phone_numbers = found.slice(0, Math.min(PageSize, SHOWN_MAX));
        return ok({ status: 200, body: { available_phone_numbers, uri } });
      },
    });
  },
);
