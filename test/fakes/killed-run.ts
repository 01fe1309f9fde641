// Starts a test run that only ends when it is killed (test/killed-run.test.ts).

import { test } from "vitest";
import { sharedTandem } from "../shared-database.ts";

test("a run that is killed", async () => {
  const { databaseUrl } = await sharedTandem();
  console.log(JSON.stringify({ directory: process.env.TMPDIR, databaseUrl }));
  await new Promise(() => undefined);
});
