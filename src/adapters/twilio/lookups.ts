// Carrier lookup in the shape of Twilio's Lookups v2, with line type and carrier on request.

import { z } from "zod";
import type { MaybePromise } from "../../base/maybe-promise.ts";
import { ok, type Result } from "../../base/result.ts";
import {
  callingCodeOf,
  type LookupAnswer,
  type NumberInfo,
  nationalFormat,
  type ParsedNumber,
  type PhoneType,
  parseNumber,
} from "../../domain/lookup/index.ts";
import { accountOperation } from "../http/core/operation.ts";
import { anyText } from "../http/core/schemas.ts";
import { refusing, TWILIO_TAG, type TwilioOperation } from "./operation.ts";

export interface TwilioLookupDeps {
  readonly lookUp: (number: string) => MaybePromise<Result<LookupAnswer, unknown>>;
  readonly publicUrl: () => string;
}

/** By the numbering plan, where it is more specific than the lookup. */
const PLAN_TYPES: Readonly<Partial<Record<NonNullable<ParsedNumber["planType"]>, string>>> = {
  PAGER: "pager",
  PERSONAL_NUMBER: "personal",
  PREMIUM_RATE: "premium",
  SHARED_COST: "sharedCost",
  TOLL_FREE: "tollFree",
  UAN: "uan",
  VOICEMAIL: "voicemail",
};
const TYPES: Readonly<Record<PhoneType, string>> = {
  Wireless: "mobile",
  Landline: "landline",
  VoIP: "nonFixedVoip",
  Unknown: "unknown",
};

/** What `Fields` may request and this server does not know. */
const NOTHING = {
  caller_name: null,
  sim_swap: null,
  call_forwarding: null,
  line_status: null,
  identity_match: null,
  reassigned_number: null,
  sms_pumping_risk: null,
  phone_number_quality_score: null,
  pre_fill: null,
};

const DIGITS_MIN = 7;
const DIGITS_MAX = 15;

function faultOf(given: string): string {
  if (/[^\d\s()+.-]/.test(given)) return "NOT_A_NUMBER";
  const { length } = given.replace(/\D/g, "");
  if (length < DIGITS_MIN) return "TOO_SHORT";
  return length > DIGITS_MAX ? "TOO_LONG" : "INVALID_LENGTH";
}

function lineType({ planType }: ParsedNumber, { type, carrierName }: NumberInfo): object {
  return {
    type: (planType && PLAN_TYPES[planType]) ?? TYPES[type],
    carrier_name: carrierName,
    mobile_country_code: null,
    mobile_network_code: null,
    error_code: null,
  };
}

/** A number without a plus belongs to the given country. */
function spelledOut(given: string, country: string | undefined): string {
  const code = given.trim().startsWith("+") || country === undefined ? undefined : callingCodeOf(country.toUpperCase());
  return code === undefined ? given : `+${code}${given}`;
}

/** What may be requested; the first is always included. */
const FIELDS = ["validation", "line_type_intelligence"];

const unknownFields = (given: string) =>
  given
    .split(",")
    .map((field) => field.trim())
    .filter((field) => field !== "" && !FIELDS.includes(field));

const sayUnknownFields = ({ input }: { readonly input?: unknown }) =>
  `${unknownFields(String(input)).join(", ").slice(0, 100)} cannot be looked up here: ${FIELDS.join(" and ")} can.`;

export const twilioLookupOperations: readonly TwilioOperation<TwilioLookupDeps>[] = [
  {
    client: "lookups.v2.phoneNumbers(number).fetch",
    differs: "What is not known is null: the mobile country and network codes always; VoIP is always `nonFixedVoip`.",
    tag: TWILIO_TAG,
    ...accountOperation({
      id: "twilioLookUpNumber",
      summary: "Lookup a number",
      route: "GET /PhoneNumbers/{PhoneNumber}",
      limit: "lookup",
      params: z.strictObject({ PhoneNumber: anyText(256) }),
      query: z.strictObject({
        Fields: anyText(512)
          .refine((given) => unknownFields(given).length === 0, { error: sayUnknownFields })
          .optional(),
        CountryCode: anyText(2).optional(),
        ...refusing(
          "AddressCountryCode AddressLine1 AddressLine2 City DateOfBirth FirstName LastName LastVerifiedDate NationalId PartnerSubId PostalCode State VerificationSid",
        ),
      }),
      answers: {},
      async handle({ params, query }, _unit, { lookUp, publicUrl }) {
        const given = spelledOut(params.PhoneNumber, query.CountryCode);
        const parsed = parseNumber(given);
        const number = parsed.ok ? parsed.value : undefined;
        const shown = number?.e164 ?? params.PhoneNumber;
        const isValid = number?.planType !== undefined;
        const isAsked = query.Fields?.split(",").some((field) => field.trim() === "line_type_intelligence") ?? false;
        const found = number && isAsked ? await lookUp(number.e164) : undefined;
        return ok({
          status: 200,
          body: {
            calling_country_code: number?.callingCode ?? null,
            country_code: number?.country ?? null,
            phone_number: shown,
            national_format: number ? nationalFormat(number.e164) : null,
            valid: isValid,
            validation_errors: isValid ? [] : [number ? "INVALID_BUT_POSSIBLE" : faultOf(given)],
            ...NOTHING,
            line_type_intelligence: number && found?.ok ? lineType(number, found.value.info) : null,
            url: `${publicUrl()}/v2/PhoneNumbers/${encodeURIComponent(shown)}`,
          },
        });
      },
    }),
  },
];
