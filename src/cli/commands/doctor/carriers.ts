// Checks whether the messaging carriers can be reached, by connecting to each of their links. Nothing is sent: a bind
// could replace a session that is up.

import { connect } from "node:net";
import type { CarrierSettings } from "../../../server/config/carriers.ts";
import { type Finding, fail, ok, warn } from "./finding.ts";

const CHECK = "Carrier link";
const CONNECT_MS_MAX = 3_000;

const REASONS: ReadonlyMap<string, string> = new Map([
  ["ECONNREFUSED", "nothing listens there"],
  ["ENOTFOUND", "there is no such host"],
  ["EAI_AGAIN", "its name cannot be looked up just now"],
  ["EHOSTUNREACH", "there is no way to the host"],
  ["ENETUNREACH", "there is no way to the host"],
  ["ETIMEDOUT", `no answer within ${CONNECT_MS_MAX / 1000} s`],
]);

export async function checkCarriers(carriers: readonly CarrierSettings[]): Promise<readonly Finding[]> {
  return (await Promise.all(carriers.map(checkCarrier))).flat();
}

async function checkCarrier({ smpp, mm4 }: CarrierSettings): Promise<readonly Finding[]> {
  return [...(await checkLinks(smpp)), ...(await checkLinks(mm4))];
}

/** Links of one kind, so that each can replace the others. */
async function checkLinks(links: readonly Link[]): Promise<readonly Finding[]> {
  const faults = await Promise.all(links.map(faultOf));
  const isOneThere = faults.includes(undefined);
  return links.map(({ name, host, port }, at) => {
    const place = `${name} at ${host}:${port}`;
    const fault = faults[at];
    if (fault === undefined) return ok(CHECK, `${place} can be reached`);
    const advice = "Check host and port, and that the carrier lets this machine in: its messages wait until then.";
    return (isOneThere ? warn : fail)(CHECK, `${place} cannot be reached: ${fault}`, advice);
  });
}

interface Link {
  readonly name: string;
  readonly host: string;
  readonly port: number;
}

/** Why the link cannot be reached; undefined when it can. */
function faultOf({ host, port }: Link): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: CONNECT_MS_MAX });
    const end = (code: string | undefined) => {
      socket.destroy();
      resolve(code === undefined ? undefined : (REASONS.get(code) ?? code));
    };
    socket.once("connect", () => end(undefined));
    socket.once("timeout", () => end("ETIMEDOUT"));
    // Node reports one fault for each address of a name.
    socket.on("error", (error: NodeJS.ErrnoException & Partial<AggregateError>) =>
      end((error.errors?.[0] as NodeJS.ErrnoException | undefined)?.code ?? error.code ?? error.message),
    );
  });
}
