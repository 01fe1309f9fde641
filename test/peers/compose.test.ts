// The compose file that we ship: docker-compose reads it, the nodes have settings that the server knows and the rights
// of the image, and the database is made for a user with the least rights.

import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { readConfig } from "../../src/server/config/config.ts";
import { withClient } from "../../src/server/main/with-client.ts";
import { requireStockPostgres, StockPostgres } from "../stock-postgres.ts";
import { requirePeer } from "./peer.ts";

const compose = requirePeer("docker-compose", "docker-compose");
const DEPLOY = fileURLToPath(new URL("../../deploy", import.meta.url));
const SECRETS = {
  DATABASE_PASSWORD: "secret",
  TANDEM_SECRET_KEY: Buffer.alloc(32, 1).toString("base64"),
  TANDEM_OPERATOR_TOKEN: "0123456789abcdef0123456789abcdef",
  TANDEM_PUBLIC_URL: "https://phone.example.com",
};

interface Service {
  readonly image: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly stop_grace_period: string;
  readonly restart: string;
  readonly ports?: readonly string[];
  readonly volumes: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** What docker-compose makes of the file; PyYAML, which it reads files with, makes JSON of that. */
function readCompose(environment: Readonly<Record<string, string>>) {
  const toJson = "import json, sys, yaml; json.dump(yaml.safe_load(sys.stdin), sys.stdout)";
  const { stdout, stderr } = spawnSync(
    "sh",
    ["-c", `"$1" --file compose.yaml config | python3 -c '${toJson}'`, "sh", compose ?? ""],
    { cwd: join(DEPLOY, "compose"), env: { PATH: process.env.PATH, ...environment }, encoding: "utf8" },
  );
  const read = JSON.parse(stdout) as { services: Readonly<Record<string, Service>> } | null;
  return { services: read?.services, stderr };
}

describe.skipIf(!compose)("docker-compose", () => {
  test.each(Object.keys(SECRETS))("does not start without %s", (name) => {
    const { [name]: _missing, ...others } = SECRETS as Readonly<Record<string, string>>;
    const { services, stderr } = readCompose(others);
    expect(services).toBeUndefined();
    expect(stderr).toContain(name);
  });

  describe("the nodes", () => {
    let nodes: readonly Service[];
    beforeAll(() => {
      const { services = {}, stderr } = readCompose(SECRETS);
      expect(stderr).toBe("");
      nodes = Object.entries(services).flatMap(([name, service]) => (name.startsWith("node-") ? [service] : []));
    });

    test("are three, of this version, each with a port of its own", () => {
      expect(nodes.map(({ image }) => image)).toEqual(Array(3).fill(`tandem:${packageJson.version}`));
      const ports = nodes.flatMap(({ ports = [] }) => ports);
      expect(new Set(ports).size).toBe(3);
      for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:\d+:8080\/tcp$/);
    });

    test("have settings that the server knows, and end before they are killed", () => {
      const containerfile = readFileSync(join(DEPLOY, "container/Containerfile"), "utf8");
      const ofImage = [...containerfile.matchAll(/(TANDEM_\w+)=(\S+)/g)].map(([, name, value]) => [name, value]);
      for (const { environment, stop_grace_period } of nodes) {
        const config = readConfig({ ...Object.fromEntries(ofImage), ...environment });
        if (!config.ok) throw new Error(config.refusal.join());
        const { settings } = config.value;
        expect(Object.keys(environment).filter((name) => !(name in settings))).toEqual([]);
        expect(settings.TANDEM_DATABASE_URL).toBe("postgres://tandem:secret@database/tandem");
        const seconds = settings.TANDEM_LAME_DUCK_SECONDS + settings.TANDEM_DRAIN_SECONDS;
        expect(Number(/^(\d+)s$/.exec(stop_grace_period)?.[1])).toBeGreaterThan(seconds);
      }
    });

    test("write to the data directory alone, without capabilities, and stay stopped when they are drained", () => {
      for (const node of nodes) {
        expect(node).toMatchObject({ read_only: true, cap_drop: ["ALL"], security_opt: ["no-new-privileges:true"] });
        expect(node).toMatchObject({ volumes: ["data:/data:rw"], restart: "on-failure" });
      }
    });
  });
});

test.skipIf(!requireStockPostgres())("its database is made for a user that is no superuser", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tandem-compose-"));
  chmodSync(folder, 0o755);
  const postgres = await StockPostgres.startIn(join(folder, "postgres"));
  onTestFinished(async () => {
    await postgres.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const { connection } = postgres;
  const admin = { ...connection, database: "postgres" };
  // The names that the script gives are those of the test's own user and database.
  await withClient(admin, (client) => client.query("create role postgres superuser login"));
  await withClient({ ...admin, user: "postgres" }, async (client) => {
    await client.query("alter role tandem rename to other");
    await client.query("alter database tandem rename to other");
  });
  const environment = {
    PATH: `/usr/lib/postgresql/15/bin:${process.env.PATH}`,
    PGHOST: connection.host,
    POSTGRES_USER: "postgres",
    DATABASE_PASSWORD: "it's secret",
    TANDEM_SQL: join(DEPLOY, "postgresql/tandem.sql"),
  };
  const made = spawnSync(join(DEPLOY, "compose/make-database.sh"), { env: environment, encoding: "utf8" });
  expect(made).toMatchObject({ status: 0 });
  await withClient(connection, (client) => client.query("create table kept (id int)"));
  const more = withClient(connection, (client) => client.query("create role more"));
  await expect(more).rejects.toThrow(/permission denied/);
});
