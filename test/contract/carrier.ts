// A carrier for tests: the sandbox's SMSC in the test's process, so that a test can inspect what reaches the handsets,
// and a Tandem that sends all texts over it.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Database } from "../../src/adapters/store/engine/database.ts";
import { Smsc, type SmscOptions } from "../../src/sandbox/smsc/smsc.ts";
import { silent as log } from "../fakes/silent-log.ts";
import { ownPort } from "../own-port.ts";
import type { Tandem } from "../tandem.ts";
import { databaseOf } from "../tandem-database.ts";
import { startOnShared } from "../use-tandem.ts";

export interface Carrier {
  readonly tandem: Tandem;
  readonly database: Database;
  /** Replaced by a new one in `comeBack`. */
  readonly smsc: Smsc;
  /** Closes all connections and stops listening. */
  goDown(): Promise<void>;
  comeBack(): Promise<void>;
  close(): Promise<void>;
}

export async function startCarrier(link: object = {}, options: Partial<SmscOptions> = {}): Promise<Carrier> {
  const listen = (port: number) => Smsc.listen({ host: "127.0.0.1", port, log, receiptDelayMs: 0, ...options });
  const port = await ownPort();
  let smsc = await listen(port);
  const directory = mkdtempSync(join(tmpdir(), "tandem-carrier-"));
  const file = join(directory, "tandem.config.json");
  const settings = { name: "own", host: "127.0.0.1", port, systemId: "tandem", password: "secret", ...link };
  writeFileSync(file, JSON.stringify({ carriers: [{ name: "own", smpp: [settings] }] }));
  const tandem = await startOnShared({ environment: { TANDEM_LOG_LEVEL: "error", TANDEM_CONFIG: file } });
  const database = databaseOf(tandem);
  return {
    tandem,
    database,
    get smsc() {
      return smsc;
    },
    goDown: () => smsc.close(),
    async comeBack() {
      smsc = await listen(port);
    },
    async close() {
      await database.close();
      await tandem.stop();
      await smsc.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
