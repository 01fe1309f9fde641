// Opens the simulated campaign registry, and returns settings for the product like those of the real one.

import { randomBytes, randomInt } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { registrySettings } from "../../adapters/registry/registry-settings.ts";
import type { Log } from "../../base/log.ts";
import { SandboxRegistry } from "../../sandbox/registry/sandbox-registry.ts";
import type { Config } from "../config/config.ts";
import type { Parts } from "../running/parts.ts";

/** Its notifications arrive immediately; the poll finds what was not notified. */
const POLL_SECONDS = 5;
const REQUESTS_PER_SECOND = 15;
const ATTEMPT_MS = 2_000;
const DEADLINE_MS = 5_000;

export async function openSandboxRegistry(parts: Parts, { dataDir, file, settings }: Config, log: Log) {
  const directory = join(dataDir, "sandbox");
  const ourCnpId = file.registry?.upstreamCnpId ?? cnpIdIn(directory);
  // New at every start: anyone who knew it could forge notifications.
  const ours = { apiKey: "sandbox", secret: randomBytes(24).toString("base64url") };
  const listening = SandboxRegistry.listen({
    port: 0,
    ourCnpId,
    ours,
    acceptanceMs: settings.TANDEM_SANDBOX_ACCEPTANCE_SECONDS * 1000,
    directory,
    log,
  });
  const registry = await parts.keep("registry", listening);
  return {
    registry,
    settings: registrySettings.parse({
      upstreamCnpId: ourCnpId,
      shareWithCnpId: registry.dcaId,
      baseUrl: registry.baseUrl,
      ...ours,
      pollSeconds: POLL_SECONDS,
      requestsPerSecond: REQUESTS_PER_SECOND,
      attemptMs: ATTEMPT_MS,
      deadlineMs: DEADLINE_MS,
    }),
  };
}

/** Every sandbox has its own id, so that two on one database do not follow each other's campaigns. */
function cnpIdIn(directory: string): string {
  const path = join(directory, "cnp-id");
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    const letter = () => "ABCDEFGHJKLMNPQRSTUVWXYZ23456789".charAt(randomInt(32));
    const id = `S${Array.from({ length: 6 }, letter).join("")}`;
    mkdirSync(directory, { recursive: true });
    writeFileSync(path, id);
    return id;
  }
}
