// The limits of an account on how many of something it has at the same time. They have no window.

const COUNTED_LIMITS: readonly string[] = ["concurrentCalls", "webhooks"];

export function isCountedLimit(name: string): boolean {
  return COUNTED_LIMITS.includes(name);
}
