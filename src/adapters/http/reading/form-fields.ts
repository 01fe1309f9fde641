// Parses a form (application/x-www-form-urlencoded). Accepts or refuses any bytes in bounded time: malformed percent
// signs, text that is not UTF-8 and too many fields are refused rather than guessed at.

import { parse } from "node:querystring";
import { ok, type Result, refused } from "../../../base/result.ts";

const FIELDS_MAX = 200;
const MALFORMED = /%(?![0-9a-f]{2})/i;
const NOT_UTF8 = "The form is not UTF-8.";
const UTF8 = new TextDecoder("utf-8", { fatal: true });

export class FormFields {
  /** A repeated field is a list. */
  readonly fields: Readonly<Record<string, string | readonly string[] | undefined>>;

  constructor(fields: Readonly<Record<string, string | readonly string[] | undefined>>) {
    this.fields = fields;
  }
}

export function parseForm(bytes: Uint8Array): Result<FormFields, string> {
  const text = utf8Of(bytes);
  if (text === undefined) return refused(NOT_UTF8);
  const broken = MALFORMED.exec(text);
  if (broken) return refused(`The form has a percent sign without two hex digits at character ${broken.index + 1}.`);
  let isUtf8 = true;
  const decode = (encoded: string) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      isUtf8 = false;
      return "";
    }
  };
  const fields = parse(text, "&", "=", { maxKeys: FIELDS_MAX + 1, decodeURIComponent: decode });
  if (!isUtf8) return refused(NOT_UTF8);
  let count = 0;
  for (const name in fields) count += Array.isArray(fields[name]) ? (fields[name] as string[]).length : 1;
  return count > FIELDS_MAX ? refused(`A form may have ${FIELDS_MAX} fields.`) : ok(new FormFields(fields));
}

function utf8Of(bytes: Uint8Array): string | undefined {
  try {
    return UTF8.decode(bytes);
  } catch {
    return undefined;
  }
}
