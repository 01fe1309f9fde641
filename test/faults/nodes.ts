// Several servers on a database of a test's own, which it stops, kills and starts again in the same place.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { dropDatabase, newDatabase } from "../shared-database.ts";
import { startTandem, type Tandem } from "../tandem.ts";

export interface Node {
  tandem: Tandem;
  /** Starts it again, or another build in its place. */
  start(command?: readonly string[]): Promise<Tandem>;
}

export interface Nodes {
  readonly nodes: readonly [Node, Node];
  readonly databaseUrl: string;
}

/** Starts two nodes with these settings, one after the other; the test's end stops them. */
export async function startTwo(settings: readonly [Settings, Settings]): Promise<Nodes> {
  const directory = mkdtempSync(join(tmpdir(), "tandem-nodes-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const databaseUrl = await newDatabase();
  onTestFinished(() => dropDatabase(databaseUrl));
  const startOne = async (name: string, environment: Settings): Promise<Node> => {
    const order = { dataDir: join(directory, name), databaseUrl, environment };
    const start = (command?: readonly string[]) =>
      startTandem({ ...order, ...(command && { commandFor: () => command }) });
    const node = { start, tandem: await start() };
    // At once: it may have minutes left in which it serves on.
    onTestFinished(() => node.tandem.kill());
    return node;
  };
  const first = await startOne("first", settings[0]);
  const shared = {
    TANDEM_SECRET_KEY: readFileSync(join(first.tandem.dataDir, "secret.key"), "utf8").trim(),
    TANDEM_OPERATOR_TOKEN: first.tandem.operatorToken,
  };
  return { nodes: [first, await startOne("second", { ...shared, ...settings[1] })], databaseUrl };
}

type Settings = Readonly<Record<string, string>>;
