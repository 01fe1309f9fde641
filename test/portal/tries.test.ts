import { expect, test } from "vitest";
import { DELAYS_MS } from "../../portal/src/screens/webhooks/tries.ts";
import { RETRY_DELAYS_MS } from "../../src/domain/webhooks/retry.ts";

test("the portal tells of tries to come by the schedule that the server keeps to", () => {
  expect(DELAYS_MS).toEqual(RETRY_DELAYS_MS);
});
