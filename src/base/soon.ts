// A value that is there already, or a promise of it. What frequent requests need is mostly in memory, and a promise at
// every step of a lookup costs more than the lookup.

export type Soon<Value> = Value | Promise<Value>;

/** Goes on at once where the value is there. What `next` throws then is thrown here. */
export function andThen<Value, Next>(value: Soon<Value>, next: (value: Value) => Soon<Next>): Soon<Next> {
  return value instanceof Promise ? value.then(next) : next(value);
}
