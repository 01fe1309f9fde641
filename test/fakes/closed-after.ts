// Closes what a test opened, the newest first.

import { onTestFinished } from "vitest";

export function afterThisTest(cleanUp: () => unknown): void {
  onTestFinished(async () => {
    await cleanUp();
  });
}

export function closedAfter<Thing extends { close(): unknown }>(thing: Thing): Thing {
  afterThisTest(() => thing.close());
  return thing;
}
