// Tables that are read by a name that the server or a person gave. An object would also know `constructor`.

export function tableOf<Value>(entries: Readonly<Record<string, Value>>): ReadonlyMap<string, Value> {
  return new Map(Object.entries(entries));
}
