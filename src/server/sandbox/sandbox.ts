// Opens the simulated outside world. The product reaches it by the real protocols, and knows it only by its settings.

import { MediaClient } from "../../adapters/attachments/attachment-client.ts";
import {
  type SimulatedWorld,
  type TestkitDeps,
  testkitOperations,
} from "../../adapters/http/routes/operations/testkit.ts";
import { mm4Settings } from "../../adapters/mm4/mm4-settings.ts";
import { linkSettings } from "../../adapters/smpp/link-settings.ts";
import { carrierIdsOf } from "../../adapters/store/messaging/outbound-messages.ts";
import type { OpenStore } from "../../adapters/store/store.ts";
import type { Log } from "../../base/log.ts";
import { ok, refused } from "../../base/result.ts";
import type { ClearingHouse } from "../../sandbox/clearing-house/clearing-house.ts";
import { MMSC_NAME, Mmsc, PEER_NAME } from "../../sandbox/mmsc/mmsc.ts";
import type { SandboxRegistry } from "../../sandbox/registry/sandbox-registry.ts";
import { Smsc } from "../../sandbox/smsc/smsc.ts";
import type { Config } from "../config/config.ts";
import { configuredOutside, type Outside } from "../config/outside.ts";
import type { PortingPart } from "../parts/porting.ts";
import { type Api, type Context, type Part, servedApi } from "../running/part.ts";
import type { Parts } from "../running/parts.ts";
import { openClearingHouse, portDecider } from "./clearing-house.ts";
import { openSandboxRegistry } from "./registry.ts";

export interface Sandbox {
  readonly outside: Outside;
  /** Name of a setting → the port in use. */
  readonly ports: Readonly<Record<string, number>>;
  readonly smsc: Smsc;
  readonly mmsc: Mmsc;
  /** Unless the product is configured to another one. */
  readonly registry: SandboxRegistry | undefined;
  readonly house: ClearingHouse | undefined;
  /** To be called with the URL of the API on this machine. */
  apiListens(url: string): void;
}

/** Not in the API documents: only a sandbox serves it. */
const testkitApi: Api<TestkitDeps> = { testkit: testkitOperations() };

const LOOPBACK = "127.0.0.1";
const WINDOW = 100;

export async function openSandbox(parts: Parts, config: Config, log: Log): Promise<Sandbox> {
  const smsc = await parts.keep("SMSC", openSmsc(config.settings.TANDEM_SMSC_PORT, log));
  const link = linkSettings.parse({
    name: "sandbox",
    host: LOOPBACK,
    port: smsc.port,
    systemId: "tandem",
    password: "sandbox",
    windowSize: WINDOW,
  });
  const mmsc = await parts.keep("MMS centre", Mmsc.listen({ host: LOOPBACK, port: 0, log }));
  const mms = mm4Settings.parse({
    name: "sandbox-mms",
    host: LOOPBACK,
    port: mmsc.port,
    ourHost: PEER_NAME,
    peerHost: MMSC_NAME,
    listen: { port: 0, allowedNetworks: ["127.0.0.0/8"] },
  });
  const registry =
    config.file.registry?.apiKey === undefined ? await openSandboxRegistry(parts, config, log) : undefined;
  const porting = config.file.porting ? undefined : await openClearingHouse(parts, config, log);
  const configured = configuredOutside(config.file);
  return {
    outside: {
      carriers: [...configured.carriers, { name: "sandbox", smpp: [link], mm4: [mms] }],
      registry: registry?.settings ?? configured.registry,
      porting: porting?.settings ?? configured.porting,
      mmsListens(link, port) {
        if (link === mms.name) mmsc.deliverTo({ host: LOOPBACK, port });
      },
    },
    ports: { TANDEM_SMSC_PORT: smsc.port },
    smsc,
    mmsc,
    registry: registry?.registry,
    house: porting?.house,
    apiListens: (url) => porting?.house.notifyTo(`${url}${porting.settings.webhookPath}`),
  };
}

async function openSmsc(port: number, log: Log): Promise<Smsc> {
  try {
    return await Smsc.listen({ host: LOOPBACK, port, log });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    throw new Error(
      `Port ${port} is taken by another program: stop it, or set TANDEM_SMSC_PORT to another port (0 for any free one).`,
    );
  }
}

/** The testkit: operations by which accounts make things happen in the simulated world. */
export function openTestkit(context: Context, sandbox: Sandbox, { sendWaiting }: PortingPart): Part {
  const { store, guard, upstreamCnpId } = context;
  const world = simulatedWorld(sandbox, store, new MediaClient({ guard }), portDecider(sandbox.house, sendWaiting));
  return { name: "testkit", operations: servedApi(testkitApi, { world, upstreamCnpId }) };
}

function simulatedWorld(
  { smsc, mmsc, registry }: Sandbox,
  store: OpenStore,
  media: MediaClient,
  decidePort: SimulatedWorld["decidePort"],
): SimulatedWorld {
  const sendMms: SimulatedWorld["sendMessage"] = async ({ from, to, text, mediaUrls }) => {
    const items = [];
    for (const url of mediaUrls) {
      const fetched = await media.fetch(url);
      if (!fetched.ok) return refused(`${url}: ${fetched.refusal.detail}`);
      items.push(fetched.value);
    }
    await mmsc.deliver({ from, to, text, media: items });
    return ok(undefined);
  };
  return {
    decidePort,
    async sendMessage({ from, to, text, mediaUrls }) {
      try {
        if (mediaUrls.length > 0 || to.length > 1) return await sendMms({ from, to, text, mediaUrls });
        for (const number of to) await smsc.deliver({ from, to: number, text });
      } catch (error) {
        return refused((error as Error).message);
      }
      return ok(undefined);
    },
    migrateCampaign(tcrCampaignId, outcome) {
      const started = registry?.migrate(tcrCampaignId, outcome);
      if (!started) return refused("The campaign registry is not a simulated one.");
      return started.ok ? started : refused(started.refusal.map(({ description }) => description).join(" "));
    },
    async settleMessage(accountSid, sid, delivered) {
      const ids = await carrierIdsOf(store.db, accountSid, sid);
      if (ids.length === 0) return refused("The carrier has not taken this message.");
      // A group message has one id at the MMS centre; the rest of ours names the recipient.
      const names = new Set(ids.map((id) => id.split(" ", 1)[0] as string));
      const settled = [...names].map((id) => smsc.settle(id, delivered) || mmsc.settle(id, delivered));
      return settled.every(Boolean)
        ? ok(undefined)
        : refused("The simulated carrier does not know this message any more.");
    },
  };
}
