import { expect, test } from "vitest";
import { descriptorBudget } from "./descriptors.ts";

test.each([64, 200, 1_024, 20_000, 1_048_576, Number.POSITIVE_INFINITY])(
  "of %d descriptors two fifths at least are left for the database, carriers and files",
  (openFilesMax) => {
    const { inboundMax, inboundPerAddressMax, webhooksMax } = descriptorBudget(openFilesMax);
    expect(inboundMax + webhooksMax).toBeLessThanOrEqual(0.6 * openFilesMax);
    expect(inboundPerAddressMax).toBeLessThanOrEqual(inboundMax / 2 + 1);
    for (const count of [inboundMax, inboundPerAddressMax, webhooksMax]) expect(count).toBeGreaterThan(0);
  },
);

test("the limit of this process can be read", () => {
  expect(descriptorBudget().inboundMax).toBeGreaterThan(0);
});
