// Guards against toll fraud: no call reaches a carrier past the rules for emergency, premium and foreign numbers,
// whatever address it names and by whatever path. The carrier counts the calls.

import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { ownPort } from "../own-port.ts";
import { LONG_TIMEOUT_MS, roundsOf } from "./form.ts";
import { LEGAL, type TollReport, tryToll } from "./toll-world.ts";

const ROUNDS = roundsOf({ quick: 1, long: 20 });
const WORLD = fileURLToPath(new URL("toll-world.ts", import.meta.url));
const ADDRESSES = [
  "93.184.215.10",
  "93.184.216.34",
  "93.184.216.35",
  "93.184.217.7",
  "2606:2800:220::10",
  "2606:2800:220:1::35",
];
const COMBINATIONS_MIN = 72;

test(
  "nothing forbidden reaches a carrier on this machine, whose places have ports, and what is beside it can be called",
  async () => {
    for (let round = 1; round <= ROUNDS; round++) {
      const [host, gate, phone] = [await ownPort(), await ownPort(), await ownPort()];
      const at = (port: number) => ({ address: "127.0.0.1", port });
      expectGuarded(
        await tryToll({
          ours: ["127.0.0.2", "127.0.0.3"],
          ...{ host: at(host), gate: at(gate), others: [], phone: at(phone) },
          sources: ["127.0.0.1", `127.0.0.1:${gate}`],
          spellings: [`localhost:${gate}`, `127.0.0.1:${host}`],
        }),
        round,
      );
    }
  },
  LONG_TIMEOUT_MS,
);

const hasNamespaces = await inNamespace("true").then(
  () => true,
  (fault: Error) => {
    if (process.env.CI === "true") throw fault;
    console.warn(`skipped: no network namespace can be made (${fault.message})`);
    return false;
  },
);

test.skipIf(!hasNamespaces)(
  "nothing forbidden reaches a carrier by an address that its sources name and its host does not have",
  async () => {
    for (let round = 1; round <= ROUNDS; round++) {
      const { stdout } = await inNamespace(`exec ${process.execPath} --import tsx ${WORLD}`);
      expectGuarded(JSON.parse(stdout) as TollReport, round);
    }
  },
  LONG_TIMEOUT_MS,
);

function expectGuarded({ forbidden, legal, extensions }: TollReport, round: number): void {
  expect(forbidden.length).toBeGreaterThanOrEqual(COMBINATIONS_MIN);
  expect(forbidden.filter(({ reached }) => reached.length > 0)).toEqual([]);
  // A peer's redirection never reaches a trunk; by any other path the number is called once, at the trunk's own host.
  for (const { reached, way, place } of legal) {
    const calls = way === "redirection" ? [] : [expect.stringContaining(`sip:${LEGAL}@trunk.test`)];
    expect(reached, `${way} to ${place}`).toEqual(calls);
  }
  expect(extensions).toEqual([expect.stringContaining("sip:1001@"), expect.stringContaining("sip:112@")]);
  console.log(`round ${round}/${ROUNDS}: ${forbidden.length} forbidden calls, 0 reached the carrier`);
}

/** Runs it with the public addresses on its loopback interface, and without any other network. */
function inNamespace(command: string): Promise<{ readonly stdout: string }> {
  const addresses = ADDRESSES.map(
    (address) => `ip addr add ${address}/${address.includes(":") ? "128 nodad" : 32} dev lo`,
  );
  const script = ["ip link set lo up", ...addresses, command].join(" && ");
  return promisify(execFile)("unshare", ["--map-root-user", "--net", "sh", "-c", script], { maxBuffer: 2 ** 26 });
}
