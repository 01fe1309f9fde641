// The service address: where the line is, as the losing carrier has it. The shape of state and postal code is known of the countries of
// the North American plan that ports come from; elsewhere they are text.

import type { Fields, TextRule } from "./fields.ts";
import type { ServiceAddress } from "./port-order.ts";

const US_STATES =
  "AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY AS GU MP PR VI AA AE AP";
const CA_PROVINCES = "AB BC MB NB NL NS NT NU ON PE QC SK YT";

interface CountryRules {
  readonly states: ReadonlySet<string>;
  readonly postalCode: RegExp;
  readonly example: string;
}

const RULES: Readonly<Record<string, CountryRules>> = {
  US: { states: new Set(US_STATES.split(" ")), postalCode: /^\d{5}(?:-\d{4})?$/, example: "94105 or 94105-1234" },
  CA: { states: new Set(CA_PROVINCES.split(" ")), postalCode: /^[A-Z]\d[A-Z] ?\d[A-Z]\d$/i, example: "K1A 0B1" },
};

const LINE: TextRule = { lengthMax: 128 };
const CITY: TextRule = { lengthMax: 64 };
const POSTAL_CODE: TextRule = { lengthMax: 16 };
const COUNTRY: TextRule = { lengthMax: 2, pattern: /^[A-Za-z]{2}$/, says: "The country's two letters are expected." };
const POST_BOX = /\bp(?:ost)?\.?\s*o(?:ffice)?\.?\s*box\b/i;

export function readServiceAddress(order: Fields): ServiceAddress {
  const fields = order.object("serviceAddress", ["street", "street2", "city", "state", "postalCode", "country"]);
  const address = {
    street: fields.text("street", LINE),
    street2: fields.optionalText("street2", LINE),
    city: fields.text("city", CITY),
    state: fields.text("state", CITY),
    postalCode: fields.text("postalCode", POSTAL_CODE),
    country: fields.text("country", COUNTRY).toUpperCase(),
  };
  if (POST_BOX.test(address.street)) {
    fields.fault("street", "A post box is not where a line is: the street is expected.");
  }
  const rules = Object.hasOwn(RULES, address.country) ? RULES[address.country] : undefined;
  return rules ? { ...address, ...readByRules(fields, address, rules) } : address;
}

function readByRules(
  fields: Fields,
  address: ServiceAddress,
  { states, postalCode, example }: CountryRules,
): Pick<ServiceAddress, "state" | "postalCode"> {
  const state = address.state.toUpperCase();
  if (state !== "" && !states.has(state)) fields.fault("state", "The two letters of a state or province are expected.");
  if (address.postalCode !== "" && !postalCode.test(address.postalCode)) {
    fields.fault("postalCode", `A postal code such as ${example} is expected.`);
  }
  return { state, postalCode: address.postalCode.toUpperCase() };
}
