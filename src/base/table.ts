// Tables that are read by a name that somebody else chose. An object would also know `constructor` and `__proto__`.

export function tableOf<Value>(entries: Readonly<Record<string, Value>>): ReadonlyMap<string, Value> {
  return new Map(Object.entries(entries));
}
