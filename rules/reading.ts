// What reading a text comes to: its value, or why it has none.

export type Reading<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly refusal: { readonly reason: string } };
