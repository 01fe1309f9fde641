/** Some members of a value: those to change, or to filter by. */
export type Change<Value> = { readonly [Name in keyof Value]?: Value[Name] | undefined };
