// The key that encrypts stored secrets, made once in the data directory. Used unless the environment gives one.

import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export function secretKeyIn(dataDir: string): Buffer {
  const path = join(dataDir, "secret.key");
  try {
    writeFileSync(path, `${randomBytes(32).toString("base64")}\n`, { flag: "wx", mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const key = Buffer.from(readFileSync(path, "utf8"), "base64");
  if (key.length !== 32)
    throw new Error(`${path} holds no key of 32 bytes: put the right one back, or set TANDEM_SECRET_KEY`);
  return key;
}
