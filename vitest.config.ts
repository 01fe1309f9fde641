import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "sdk/**/*.test.ts", "numbering/**/*.test.ts", "test/**/*.test.ts"],
    pool: "forks",
    maxWorkers: 2,
    // For a machine that is busy with something else: only a test that stands still meets it.
    testTimeout: 180_000,
    hookTimeout: 120_000,
  },
});
