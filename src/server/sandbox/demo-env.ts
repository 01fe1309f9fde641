// data/demo.env keeps the credentials of the demo account from one start to the next.

import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const DEMO_ENV = "demo.env";

export function readDemoEnv(dataDir: string): ReadonlyMap<string, string> {
  try {
    const lines = readFileSync(join(dataDir, DEMO_ENV), "utf8").split("\n");
    return new Map(
      lines.flatMap((line) => {
        const match = /^([A-Z_]+)=(.*)$/.exec(line);
        return match ? [[match[1] as string, match[2] as string]] : [];
      }),
    );
  } catch {
    return new Map();
  }
}

export function writeDemoEnv(dataDir: string, values: Readonly<Record<string, string>>): void {
  const text = Object.entries(values).map(([name, value]) => `${name}=${value}\n`);
  const path = join(dataDir, DEMO_ENV);
  writeFileSync(`${path}.new`, text.join(""), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}
