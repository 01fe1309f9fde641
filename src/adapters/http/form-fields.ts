// The body of a form (application/x-www-form-urlencoded). Total and bounded: malformed percent signs and too many fields are refused.

import { parse } from "node:querystring";
import { ok, type Result, refused } from "../../base/result.ts";

const FIELDS_MAX = 200;
const MALFORMED = /%(?![0-9a-f]{2})/i;

export class FormFields {
  /** A field that is given several times is a list. */
  readonly fields: Readonly<Record<string, string | readonly string[] | undefined>>;

  constructor(fields: Readonly<Record<string, string | readonly string[] | undefined>>) {
    this.fields = fields;
  }
}

export function parseForm(text: string): Result<FormFields, string> {
  const broken = MALFORMED.exec(text);
  if (broken) return refused(`The form has a percent sign without two hex digits at character ${broken.index + 1}.`);
  const fields = parse(text, "&", "=", { maxKeys: FIELDS_MAX + 1 });
  let count = 0;
  for (const name in fields) count += Array.isArray(fields[name]) ? (fields[name] as string[]).length : 1;
  return count > FIELDS_MAX ? refused(`A form may have ${FIELDS_MAX} fields.`) : ok(new FormFields(fields));
}
