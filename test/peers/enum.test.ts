// Our ENUM provider against BIND.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type ClosableProvider,
  lookupProviderSchema,
  makeProvider,
} from "../../src/adapters/directory/provider-config.ts";
import { enumName } from "../../src/domain/lookup/enum-answer.ts";
import { ownPort } from "../own-port.ts";
import { requirePeer } from "./peer.ts";

const named = requirePeer("named", "bind9");
const SUFFIX = "enum.test";
const never = () => new AbortController().signal;

function rule(number: string, uri: string, ranks = "100 10", service = "E2U+pstn:tel", ere = "^.*$"): string {
  return `${enumName(number, SUFFIX)}. IN NAPTR ${ranks} "u" "${service}" "!${ere}!${uri}!" .`;
}

const ZONE = [
  "$TTL 60",
  `@ IN SOA ns.${SUFFIX}. hostmaster.${SUFFIX}. 1 3600 600 86400 60`,
  `@ IN NS ns.${SUFFIX}.`,
  "ns IN A 127.0.0.1",
  rule("+12155550100", "tel:+12155550100;npdi;rn=+12155550199"),
  rule("+12155550101", "tel:+1-215-555-0101;npdi"),
  rule("+12155550102", "tel:+12155550102;npdi;rn=+12155550003", "100 30"),
  rule("+12155550102", "tel:+12155550102;npdi;rn=+12155550001", "100 20"),
  rule("+12155550102", "tel:+12155550102;npdi;rn=+12155550002", "200 10"),
  rule("+12155550102", "sip:info@example.com", "10 10", "E2U+sip"),
  rule("+12155550103", "tel:+12155550103;npdi;rn=2155550198;rn-context=+1;spn=4711"),
  rule("+12155550104", "tel:+\\\\1;npdi;rn=+12155550197", "100 10", "E2U+pstn:tel+sms:tel", "^\\\\+(.*)$"),
  rule("+12155550105", "sip:info@example.com", "10 10", "E2U+sip"),
  `${enumName("+12155550106", SUFFIX)}. IN TXT "no NAPTR"`,
  `*.${enumName("+12155557", SUFFIX)}. IN NAPTR 100 10 "u" "E2U+pstn:tel" "!^(.*)$!tel:\\\\1;npdi;rn=+12155550196!" .`,
  ...Array.from({ length: 40 }, (_, i) =>
    rule("+12155550107", `tel:+12155550107;npdi;rn=+12155550195;note=${"x".repeat(100)}`, `100 ${i}`),
  ),
];

function configuration(folder: string, port: number): string {
  return `
    options {
      directory "${folder}"; pid-file none; lock-file none; session-keyfile "${folder}/session.key";
      listen-on port ${port} { 127.0.0.1; }; listen-on-v6 { none; };
      recursion no; dnssec-validation no; notify no;
    };
    controls { };
    zone "${SUFFIX}" { type primary; file "zone"; };
  `;
}

async function startNamed(program: string, folder: string, port: number): Promise<ChildProcess> {
  await writeFile(join(folder, "named.conf"), configuration(folder, port));
  await writeFile(join(folder, "zone"), `${ZONE.join("\n")}\n`);
  const child = spawn(program, ["-g", "-n", "1", "-c", join(folder, "named.conf")], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stderr })) {
    lines.push(line);
    if (line.endsWith(" running")) {
      child.stderr.resume();
      return child;
    }
  }
  throw new Error(`named did not start:\n${lines.join("\n")}`);
}

describe.skipIf(!named)("BIND as the portability directory", () => {
  let folder: string;
  let address: string;
  let child: ChildProcess;
  let provider: ClosableProvider;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "tandem-named-"));
    const port = await ownPort();
    address = `127.0.0.1:${port}`;
    child = await startNamed(named ?? "", folder, port);
    const config = lookupProviderSchema.parse({
      kind: "enum",
      name: "bind",
      suffix: SUFFIX,
      servers: [address],
      deadlineMs: 5000,
      carriers: { "4711": "Example Mobile" },
    });
    provider = makeProvider(config, { secret: () => undefined });
  });

  afterAll(async () => {
    await provider?.close();
    if (child?.exitCode === null) {
      const exit = once(child, "exit");
      child.kill("SIGTERM");
      await exit;
    }
    await rm(folder, { recursive: true, force: true });
  });

  test.each([
    ["a ported number has a routing number", "+12155550100", { kind: "found", routingNumber: "+12155550199" }],
    ["a number that is not ported has none", "+12155550101", { kind: "found" }],
    ["order comes before preference", "+12155550102", { kind: "found", routingNumber: "+12155550001" }],
    [
      "a known service provider has a name",
      "+12155550103",
      { kind: "found", routingNumber: "+12155550198", carrierName: "Example Mobile" },
    ],
    ["the number may come back through the rule", "+12155550104", { kind: "found", routingNumber: "+12155550197" }],
    ["a number with other services only is not found", "+12155550105", { kind: "notFound" }],
    ["a name without NAPTR is not found", "+12155550106", { kind: "notFound" }],
    ["a number outside the zone is not found", "+12155550999", { kind: "notFound" }],
    ["a whole block may share one rule", "+12155557123", { kind: "found", routingNumber: "+12155550196" }],
    [
      "an answer too long for a datagram comes over TCP",
      "+12155550107",
      { kind: "found", routingNumber: "+12155550195" },
    ],
  ])("%s", async (_, number, finding) => {
    await expect(provider.ask(number, never())).resolves.toEqual(finding);
  });

  test("a zone the server does not hold is a failure, not an absence", async () => {
    const config = lookupProviderSchema.parse({
      kind: "enum",
      name: "lame",
      suffix: "elsewhere.test",
      servers: [address],
      deadlineMs: 5000,
    });
    const lame = makeProvider(config, { secret: () => undefined });
    await expect(lame.ask("+12155550100", never())).rejects.toThrow(/REFUSED/);
    await lame.close();
  });

  test("many questions at once are all answered", async () => {
    const asked = Array.from({ length: 50 }, (_, i) => provider.ask(`+121555570${10 + i}`, never()));
    for (const finding of await Promise.all(asked)) expect(finding).toMatchObject({ routingNumber: "+12155550196" });
  });
});
