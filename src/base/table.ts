// Tables whose keys come from outside. A plain object would also have `constructor` and `__proto__`.

export function tableOf<Value>(entries: Readonly<Record<string, Value>>): ReadonlyMap<string, Value> {
  return new Map(Object.entries(entries));
}
