// What a test opens is closed after it, the newest first.

import { afterEach } from "vitest";

const cleanUps: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

export function afterThisTest(cleanUp: () => unknown): void {
  cleanUps.push(cleanUp);
}

export function closedAfter<Thing extends { close(): unknown }>(thing: Thing): Thing {
  afterThisTest(() => thing.close());
  return thing;
}
