// JSON that PostgreSQL's jsonb accepts: it stores neither NUL nor lone surrogates, and messages from outside may
// contain both.

const UNSTORABLE = /\\u(?:0000|d[89a-f])/i;

export function jsonText(value: unknown): string {
  const text = JSON.stringify(value);
  // The match may be a literal backslash in the text, followed by these letters. Then the exact replacement below
  // changes nothing.
  return UNSTORABLE.test(text) ? JSON.stringify(value, (_name, member: unknown) => storable(member)) : text;
}

function storable(member: unknown): unknown {
  return typeof member === "string" ? member.toWellFormed().replaceAll("\u0000", "\ufffd") : member;
}
