// For speed alone (`bench -- lookup` would notice): a value, or a promise of it. What frequent requests need is mostly
// in memory, and a promise at every step of a lookup costs more than the lookup.

export type MaybePromise<Value> = Value | Promise<Value>;

/** Continues synchronously where the value is already there; an exception of `next` is then thrown here. */
export function andThen<Value, Next>(
  value: MaybePromise<Value>,
  next: (value: Value) => MaybePromise<Next>,
): MaybePromise<Next> {
  return value instanceof Promise ? value.then(next) : next(value);
}
