// JSON that jsonb accepts: it stores neither NUL nor lone surrogates, which messages from outside may contain.

const UNSTORABLE = /\\u(?:0000|d[89a-f])/i;

export function jsonText(value: unknown): string {
  const text = JSON.stringify(value);
  // A match may also be a literal backslash with these letters after it; then `storable` changes nothing.
  return UNSTORABLE.test(text) ? JSON.stringify(value, (_name, member: unknown) => storable(member)) : text;
}

function storable(member: unknown): unknown {
  return typeof member === "string" ? member.toWellFormed().replaceAll("\u0000", "\ufffd") : member;
}
