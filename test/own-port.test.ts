import { expect, test } from "vitest";
import { ownPort } from "./own-port.ts";

test("ports that are asked for at the same time are no one else's", async () => {
  const counts = Array.from({ length: 40 }, (_, index) => 1 + (index % 3));
  const ports = await Promise.all(
    counts.map(async (count) => {
      const first = await ownPort(count);
      return Array.from({ length: count }, (_, index) => first + index);
    }),
  );
  expect(new Set(ports.flat()).size).toBe(ports.flat().length);
});
