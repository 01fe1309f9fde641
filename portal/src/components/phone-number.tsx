// A telephone number, grouped by margins and not by spaces, so that a copied number is E.164.

import { callingCodeIn } from "../../../rules/numbers/calling-code.ts";
import { isSipUri, parseUri } from "../../../rules/sip-uri.ts";
import "./phone-number.css";

/** Country code, and groups as they are spoken. Short codes and text that is not a number stay in one piece. */
export function groupsOf(number: string): readonly string[] {
  if (!/^\+\d{7,15}$/.test(number)) return [number];
  const digits = number.slice(1);
  const nanp = /^1(\d{3})(\d{3})(\d{4})$/.exec(digits);
  if (nanp) return ["+1", ...nanp.slice(1)];
  const code = callingCodeIn(digits);
  const rest = digits.slice(code.length);
  const groups = rest.length <= 6 ? [rest] : [rest.slice(0, rest.length - 6), rest.slice(-6)];
  return [`+${code}`, ...groups];
}

export function PhoneNumber({ value }: { readonly value: string }) {
  return (
    <span className="phone-number" translate="no">
      {groupsOf(value).map((group, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the groups of a number have no other name
        <span key={at}>{group}</span>
      ))}
    </span>
  );
}

/** A party of a call: a number, or a SIP address by its user. */
export function Party({ value }: { readonly value: string }) {
  if (!isSipUri(value)) return <PhoneNumber value={value} />;
  const uri = parseUri(value);
  return (
    <span className="mono cut" title={value}>
      {uri && "user" in uri && uri.user !== "" ? uri.user.replace(/;.*/, "") : value}
    </span>
  );
}
