// Opens the simulated outside world. The product reaches it over the real protocols, and knows it only by its settings.
// Systems that are configured are real and not simulated as well: no real message ever takes a simulated route.

import { MediaClient } from "../../adapters/attachments/attachment-client.ts";
import type { SimulatedWorld } from "../../adapters/http/routes/operations/testkit.ts";
import { mm4Settings } from "../../adapters/mm4/mm4-settings.ts";
import { linkSettings } from "../../adapters/smpp/link-settings.ts";
import { carrierIdsOf } from "../../adapters/store/messaging/outbound-messages.ts";
import type { OpenStore } from "../../adapters/store/store.ts";
import type { Log } from "../../base/log.ts";
import { ok, refused } from "../../base/result.ts";
import type { ClearingHouse } from "../../sandbox/clearing-house/clearing-house.ts";
import { MMSC_NAME, Mmsc, PEER_NAME } from "../../sandbox/mmsc/mmsc.ts";
import type { SandboxRegistry } from "../../sandbox/registry/sandbox-registry.ts";
import type { Phones } from "../../sandbox/sip/phones.ts";
import { Smsc } from "../../sandbox/smsc/smsc.ts";
import type { CarrierSettings } from "../config/carriers.ts";
import type { Config } from "../config/config.ts";
import { configuredOutside, type Outside } from "../config/outside.ts";
import { softphoneApi, testkitApi } from "../parts/api.ts";
import type { PortingPart } from "../parts/porting.ts";
import type { VoicePart } from "../parts/voice.ts";
import { type Context, type Part, servedApi } from "../running/part.ts";
import type { Parts } from "../running/parts.ts";
import { openClearingHouse, portDecider } from "./clearing-house.ts";
import { callPlacer, openPhones, REAL_PHONES, softphonesOf } from "./phones.ts";
import { openSandboxRegistry } from "./registry.ts";

export interface Sandbox {
  readonly outside: Outside;
  /** Name of a setting → the port in use. */
  readonly ports: Readonly<Record<string, number>>;
  /** These four are simulated unless they are configured. */
  readonly carrier: SimulatedCarrier | undefined;
  readonly registry: SandboxRegistry | undefined;
  readonly house: ClearingHouse | undefined;
  readonly phones: Phones | undefined;
  /** The systems that are configured, and therefore not simulated. */
  readonly real: readonly string[];
  /** Must be called with the URL of the API on this machine. */
  apiListens(url: string): void;
}

interface SimulatedCarrier {
  readonly smsc: Smsc;
  readonly mmsc: Mmsc;
  readonly settings: CarrierSettings;
}

const LOOPBACK = "127.0.0.1";
const WINDOW = 100;

export async function openSandbox(parts: Parts, config: Config, log: Log): Promise<Sandbox> {
  const { file } = config;
  const carrier = file.carriers.length === 0 ? await openCarrier(parts, config, log) : undefined;
  const registry = file.registry?.apiKey === undefined ? await openSandboxRegistry(parts, config, log) : undefined;
  const porting = file.porting ? undefined : await openClearingHouse(parts, config, log);
  const telephony = file.sip ? undefined : await openPhones(parts, config, log);
  const configured = configuredOutside(file);
  return {
    outside: {
      carriers: carrier ? [carrier.settings] : configured.carriers,
      registry: registry?.settings ?? configured.registry,
      porting: porting?.settings ?? configured.porting,
      sip: telephony?.settings ?? configured.sip,
      mmsListens: (_link, port) => carrier?.mmsc.deliverTo({ host: LOOPBACK, port }),
    },
    ports: carrier ? { TANDEM_SMSC_PORT: carrier.smsc.port } : {},
    carrier,
    registry: registry?.registry,
    house: porting?.house,
    phones: telephony?.phones,
    real: [
      ...(carrier ? [] : ["carriers"]),
      ...(registry ? [] : ["campaign registry"]),
      ...(porting ? [] : ["porting"]),
      ...(telephony ? [] : ["SIP"]),
    ],
    apiListens: (url) => porting?.house.notifyTo(`${url}${porting.settings.webhookPath}`),
  };
}

async function openCarrier(parts: Parts, { settings }: Config, log: Log): Promise<SimulatedCarrier> {
  const smsc = await parts.keep("SMSC", openSmsc(settings.TANDEM_SMSC_PORT, log));
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
  return { smsc, mmsc, settings: { name: "sandbox", smpp: [link], mm4: [mms] } };
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

/** The parts of the product that the test kit uses. */
interface TestkitParts {
  readonly porting: PortingPart;
  readonly voice: VoicePart;
}

/** The test kit: operations with which accounts cause events in the simulated world. */
export function openTestkit(context: Context, sandbox: Sandbox, { porting, voice }: TestkitParts): Part {
  const { store, guard, upstreamCnpId, supportContact } = context;
  const world = {
    ...simulatedWorld(sandbox, store, new MediaClient({ guard }), portDecider(sandbox.house, porting.sendWaiting)),
    placeCall: callPlacer(sandbox.phones, voice),
  };
  const softphones = sandbox.phones && softphonesOf(sandbox.phones, voice, context);
  const openPhone = softphones?.openPhone ?? (() => refused(REAL_PHONES));
  return {
    name: "testkit",
    operations: [
      ...servedApi(testkitApi, { world, upstreamCnpId, supportContact }),
      ...servedApi(softphoneApi, { openPhone }),
    ],
    // Open sockets would hold up the drain for ever.
    routes: (http) => http.onClosing(async () => softphones?.close()),
  };
}

function simulatedWorld(
  { carrier, registry }: Sandbox,
  store: OpenStore,
  media: MediaClient,
  decidePort: SimulatedWorld["decidePort"],
): Omit<SimulatedWorld, "placeCall"> {
  return {
    decidePort,
    migrateCampaign(tcrCampaignId, outcome) {
      const started = registry?.migrate(tcrCampaignId, outcome);
      if (!started) return refused("The campaign registry is not a simulated one.");
      return started.ok ? started : refused(started.refusal.map(({ description }) => description).join(" "));
    },
    ...(carrier ? carriedWorld(carrier, store, media) : REAL_CARRIERS),
  };
}

type CarriedWorld = Pick<SimulatedWorld, "sendMessage" | "settleMessage">;

const REAL = refused("The carriers are not simulated ones.");
const REAL_CARRIERS: CarriedWorld = { sendMessage: async () => REAL, settleMessage: async () => REAL };

function carriedWorld({ smsc, mmsc }: SimulatedCarrier, store: OpenStore, media: MediaClient): CarriedWorld {
  const sendMms: CarriedWorld["sendMessage"] = async ({ from, to, others, text, mediaUrls }) => {
    const items = [];
    for (const url of mediaUrls) {
      const fetched = await media.fetch(url);
      if (!fetched.ok) return refused(`${url}: ${fetched.refusal.detail}`);
      items.push(fetched.value);
    }
    await mmsc.deliver({ from, to, others, text, media: items });
    return ok(undefined);
  };
  return {
    async sendMessage(message) {
      const { from, to, others, text, mediaUrls } = message;
      try {
        if (mediaUrls.length > 0 || to.length + others.length > 1) return await sendMms(message);
        for (const number of to) await smsc.deliver({ from, to: number, text });
      } catch (error) {
        return refused((error as Error).message);
      }
      return ok(undefined);
    },
    async settleMessage(accountSid, sid, delivered) {
      const ids = await carrierIdsOf(store.db, accountSid, sid);
      if (ids.length === 0) return refused("The carrier has not accepted this message.");
      // A group message has one id at the MMS centre; the rest of our id names the recipient.
      const names = new Set(ids.map((id) => id.split(" ", 1)[0] as string));
      const settled = [...names].map((id) => smsc.settle(id, delivered) || mmsc.settle(id, delivered));
      return settled.every(Boolean)
        ? ok(undefined)
        : refused("The simulated carrier does not know this message any more.");
    },
  };
}
