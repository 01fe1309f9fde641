// JSON as PostgreSQL's jsonb takes it: it stores no NUL and no half of a surrogate pair, and a message from outside may hold both.

const UNSTORABLE = /\\u(?:0000|d[89a-f])/i;

export function jsonText(value: unknown): string {
  const text = JSON.stringify(value);
  // The escape may also be harmless: a backslash that somebody wrote, then these letters. Then the second look changes nothing.
  return UNSTORABLE.test(text) ? JSON.stringify(value, (_name, member: unknown) => storable(member)) : text;
}

function storable(member: unknown): unknown {
  return typeof member === "string" ? member.toWellFormed().replaceAll("\u0000", "\ufffd") : member;
}
