// The alert rules and the dashboard that we ship: a real Prometheus loads the rules and fires each of them, and every
// metric that they name is one that a server shows.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { sharedTandem } from "../shared-database.ts";
import { requirePeer } from "./peer.ts";

const promtool = requirePeer("promtool", "prometheus");
const FOLDER = fileURLToPath(new URL("../../deploy/", import.meta.url));
const read = (path: string) => readFileSync(FOLDER + path, "utf8");
const RULES = read("prometheus/tandem.rules.yml");

describe.skipIf(!promtool)("Prometheus", () => {
  const run = (...args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(promtool ?? "", args, {
      cwd: `${FOLDER}prometheus`,
      encoding: "utf8",
    });
    return { status, output: stdout + stderr };
  };

  test("loads the alert rules", () => {
    expect(run("check", "rules", "tandem.rules.yml")).toMatchObject({ status: 0 });
  });

  test("fires each of them where it should, and none while all is well", () => {
    expect(run("test", "rules", "tandem.rules.test.yml")).toMatchObject({ status: 0 });
    const tests = read("prometheus/tandem.rules.test.yml");
    const alerts = [...RULES.matchAll(/alert: (\w+)/g)].map(([, name = ""]) => name);
    expect(alerts.length).toBeGreaterThan(10);
    for (const name of alerts) {
      expect(tests).toMatch(new RegExp(`alertname: ${name}\\n\\s+exp_alerts:\\n`));
      expect(tests).toContain(`alertname: ${name}, exp_alerts: []`);
    }
  });
});

describe("every metric that is named exists:", () => {
  let shown: ReadonlySet<string>;
  beforeAll(async () => {
    const { url } = await sharedTandem();
    const text = await (await fetch(`${url}/metrics`)).text();
    shown = new Set([...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name = ""]) => name));
  });

  const namedIn = (expression: string) =>
    [...expression.matchAll(/\b(?:tandem|nodejs|process)_\w+/g)].map(([name]) =>
      name.replace(/_(bucket|sum|count)$/, ""),
    );
  const { panels } = JSON.parse(read("grafana/tandem.json")) as {
    panels: { title: string; targets: { expr: string }[] }[];
  };
  const expressions = [
    ...[...RULES.matchAll(/alert: (\w+)\n +expr: (.+)/g)].map(([, name = "", expr = ""]) => ({ name, expr })),
    ...panels.map(({ title, targets }) => ({ name: title, expr: targets.map(({ expr }) => expr).join(" ") })),
  ].filter(({ name }) => name !== "TandemDown");

  test.each(expressions)("$name", ({ expr }) => {
    const names = namedIn(expr);
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => !shown.has(name))).toEqual([]);
  });
});
