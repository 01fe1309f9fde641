// A telephone number, grouped by margins and not by spaces, so that what gets copied is E.164.

import "./phone-number.css";

const TWO_DIGIT_CODES = /^(20|27|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/;

/** Country code, and groups as they are spoken. Short codes and what is no number stay in one piece. */
export function groupsOf(number: string): readonly string[] {
  if (!/^\+\d{7,15}$/.test(number)) return [number];
  const digits = number.slice(1);
  const nanp = /^1(\d{3})(\d{3})(\d{4})$/.exec(digits);
  if (nanp) return ["+1", ...nanp.slice(1)];
  const codeLength = /^[17]/.test(digits) ? 1 : TWO_DIGIT_CODES.test(digits) ? 2 : 3;
  const rest = digits.slice(codeLength);
  const groups = rest.length <= 6 ? [rest] : [rest.slice(0, rest.length - 6), rest.slice(-6)];
  return [`+${digits.slice(0, codeLength)}`, ...groups];
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
  if (!/^sips?:/.test(value)) return <PhoneNumber value={value} />;
  return (
    <span className="mono cut" title={value}>
      {/^sips?:([^@;]+)@/.exec(value)?.[1] ?? value}
    </span>
  );
}
