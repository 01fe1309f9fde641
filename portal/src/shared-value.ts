// A value that components of the whole page share: `useSyncExternalStore` with its listeners.

import { useSyncExternalStore } from "react";

export class SharedValue<Value> {
  readonly #listeners = new Set<() => void>();
  #value: Value;

  constructor(value: Value) {
    this.#value = value;
  }

  readonly get = (): Value => this.#value;

  set(value: Value): void {
    this.#value = value;
    for (const listener of this.#listeners) listener();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}

export function useShared<Value>({ subscribe, get }: Pick<SharedValue<Value>, "subscribe" | "get">): Value {
  return useSyncExternalStore(subscribe, get);
}
