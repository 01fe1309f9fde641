// The result of reading a text: its value, or the reason why it has none.

export type Reading<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly refusal: { readonly reason: string } };
