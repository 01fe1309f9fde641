import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { include: ["test/fakes/killed-run.ts"], globalSetup: "test/test-run.ts", testTimeout: 600_000, watch: false },
});
