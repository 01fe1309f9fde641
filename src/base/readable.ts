/** A value as far as it could be read: undefined replaces what is missing or has a fault. */
export type Readable<Value> = Value extends string | number | boolean | null | undefined
  ? Value | undefined
  : Value extends readonly (infer Item)[]
    ? readonly Readable<Item>[]
    : { readonly [Name in keyof Value]?: Readable<Value[Name]> | undefined };
