// The simulated outside world, behind the same protocols as the real one: the product is told of it only as of other carriers.

import type { SimulatedWorld } from "../adapters/http/routes/testkit.ts";
import { linkSettings } from "../adapters/smpp/link-settings.ts";
import type { OpenStore } from "../adapters/store/store.ts";
import type { Log } from "../base/log.ts";
import { ok, refused } from "../base/result.ts";
import { Smsc } from "../sandbox/smsc/smsc.ts";
import type { CarrierSettings } from "./carriers.ts";
import type { Config } from "./config.ts";

export interface Sandbox {
  readonly carriers: readonly CarrierSettings[];
  /** Name of a setting → the port it came to. */
  readonly ports: Readonly<Record<string, number>>;
  readonly smsc: Smsc;
  close(): Promise<void>;
}

const LOOPBACK = "127.0.0.1";
const WINDOW = 100;

export async function openSandbox(config: Config, log: Log): Promise<Sandbox> {
  const port = config.settings.TANDEM_SMSC_PORT;
  const smsc = await Smsc.listen({ host: LOOPBACK, port, log }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EADDRINUSE") throw error;
    throw new Error(
      `Port ${port} is taken by another program: stop it, or set TANDEM_SMSC_PORT to another port (0 for any free one).`,
    );
  });
  const link = linkSettings.parse({
    name: "sandbox",
    host: LOOPBACK,
    port: smsc.port,
    systemId: "tandem",
    password: "sandbox",
    windowSize: WINDOW,
  });
  return {
    carriers: [{ name: "sandbox", smpp: [link] }],
    ports: { TANDEM_SMSC_PORT: smsc.port },
    smsc,
    close: () => smsc.close(),
  };
}

export function simulatedWorld({ smsc }: Sandbox, store: OpenStore): SimulatedWorld {
  return {
    async sendMessage({ from, to, text, mediaUrls }) {
      if (mediaUrls.length > 0) return refused("The sandbox has no MM4 peer yet.");
      try {
        for (const number of to) await smsc.deliver({ from, to: number, text });
      } catch (error) {
        return refused((error as Error).message);
      }
      return ok(undefined);
    },
    async settleMessage(accountSid, sid, delivered) {
      const [row] = await store.db.query<{ carrier_ids: string[] | null }>(
        "select carrier_ids from outbound_messages where account_sid = $1 and sid = $2",
        [accountSid, sid],
      );
      const ids = row?.carrier_ids ?? [];
      if (ids.length === 0) return refused("The carrier has not taken this message.");
      const settled = ids.map((id) => smsc.settle(id, delivered));
      return settled.every(Boolean)
        ? ok(undefined)
        : refused("The simulated carrier does not know this message any more.");
    },
  };
}
