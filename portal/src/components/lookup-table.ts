// Tables that are read by a name that the server or the user gave. A plain object would also have `constructor`.

export function tableOf<Value>(entries: Readonly<Record<string, Value>>): ReadonlyMap<string, Value> {
  return new Map(Object.entries(entries));
}
