/** All members are optional, and undefined means absent: for changes of a record, and for filters of a list. */
export type Optional<Value> = { readonly [Name in keyof Value]?: Value[Name] | undefined };
