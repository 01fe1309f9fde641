import { expect, test } from "vitest";
import { countDatabaseWork } from "./database-work.ts";

test("work is what was written since counting began, for each unit", async () => {
  const answers = [
    { bytes: "5000", commits: "700" },
    { bytes: "25000", commits: "704" },
  ];
  const database = { query: async <Row extends object>() => answers.splice(0, 1) as unknown as Row[] };
  const workFor = await countDatabaseWork(database);
  expect(await workFor(10)).toEqual({ walBytes: 2000, unitsPerCommit: 2.5 });
});
