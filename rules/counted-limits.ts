// The limits of an account that are a number alone, without a window: how many of something it has at the same time,
// and the weight of its share.

const COUNTED_LIMITS: readonly string[] = ["concurrentCalls", "webhooks", "weight"];

export function isCountedLimit(name: string): boolean {
  return COUNTED_LIMITS.includes(name);
}
