// How tests are run: all of them on the built-in PostgreSQL, and those of the store once more on Debian's, where it is
// installed. The long form of the faults runs on Debian's alone.

import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { isLong } from "./test/faults/form.ts";
import { requireStockPostgres } from "./test/stock-postgres.ts";

/** The folders whose files take longest come first, so that none of them is left for the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const found = ["/test/faults/", "/test/contract/", "/test/journeys/", "/test/"].findIndex((folder) =>
        moduleId.includes(folder),
      );
      return found === -1 ? Number.MAX_SAFE_INTEGER : found;
    };
    return (await super.sort(files)).sort((one, other) => place(one) - place(other));
  }
}

const FILES = [
  "rules/**/*.test.ts",
  "src/**/*.test.ts",
  "sdk/**/*.test.ts",
  "numbering/**/*.test.ts",
  "bench/**/*.test.ts",
  "test/**/*.test.ts",
];
const STORE_FILES = ["src/adapters/store/**/*.test.ts"];
/** Looks at what only Debian's has. */
const STOCK_FILE = "test/stock-postgres.test.ts";

const hasStock = requireStockPostgres() !== undefined;
const onStock = { TEST_POSTGRES: "15" };
const projects = [
  {
    name: "all",
    include: FILES,
    exclude: [...configDefaults.exclude, STOCK_FILE],
    env: isLong && hasStock ? onStock : {},
  },
  ...(hasStock ? [{ name: "PostgreSQL 15", include: [...STORE_FILES, STOCK_FILE], env: onStock }] : []),
];

export default defineConfig({
  resolve: { alias: { "@tandem/sdk": fileURLToPath(new URL("sdk/src/index.ts", import.meta.url)) } },
  test: {
    projects: projects.map((test) => ({ extends: true, test })),
    globalSetup: "test/test-run.ts",
    pool: "forks",
    // Files follow one another in a process, which then starts, loads the program and its shared Tandem once.
    isolate: false,
    // They keep what they load, and make much that lives no longer than a test.
    execArgv: ["--min-semi-space-size=16", "--max-semi-space-size=64", "--single-threaded-gc", "--no-memory-reducer"],
    // Most tests wait more than they work; and each process loads the program for itself.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    // For a machine that is busy with something else: only a test that stands still meets it.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 300_000 } },
  },
});
