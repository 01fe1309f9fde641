// A value that is there already, or a promise of it. What frequent requests need is mostly in memory, and a promise at
// every step of a lookup costs more than the lookup.

export type MaybePromise<Value> = Value | Promise<Value>;

/** Goes on at once where the value is there. What `next` throws then is thrown here. */
export function andThen<Value, Next>(
  value: MaybePromise<Value>,
  next: (value: Value) => MaybePromise<Next>,
): MaybePromise<Next> {
  return value instanceof Promise ? value.then(next) : next(value);
}
