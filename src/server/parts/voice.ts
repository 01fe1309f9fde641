// Voice: the operations of calls, and in a worker the calls themselves: SIP, RTP, and the desk between them.

import { isIP } from "node:net";
import { type CallRouteDeps, callOperations, spelledShort } from "../../adapters/http/routes/voice/calls.ts";
import { RtpEngine } from "../../adapters/rtp/rtp-engine.ts";
import { openSipSignalling, type SipSignalling, type SipSignallingOptions } from "../../adapters/sip/signalling.ts";
import { Database } from "../../adapters/store/engine/database.ts";
import { callDirectory, countriesOf } from "../../adapters/store/voice/call-directory.ts";
import { CallLease } from "../../adapters/store/voice/call-lease.ts";
import { StoredLedger } from "../../adapters/store/voice/call-ledger.ts";
import { SipTrace, sweepSipMessages } from "../../adapters/store/voice/sip-trace.ts";
import { parseNetwork } from "../../base/cidr.ts";
import { pause } from "../../base/clock.ts";
import { parseNumber } from "../../domain/lookup/index.ts";
import { CallDesk } from "../../domain/voice/index.ts";
import { dialRules, type SipSettings } from "../config/sip.ts";
import { type Api, type Context, type Part, servedApi } from "../running/part.ts";
import type { WebhooksPart } from "./webhooks.ts";

export const voiceApi: Api<CallRouteDeps> = { account: callOperations() };
const shortApi: Api<CallRouteDeps> = { account: spelledShort(callOperations()) };

const CONNECTIONS = 4;
const LOOK_MS = 1_000;
const FLUSH_MS = 1_000;
const SWEEP_MS = 3_600_000;
const TRACE_DAYS = 7;
const INACTIVITY_MS = 60_000;
const END_WAIT_MS = 3_000;
const END_POLL_MS = 25;

export interface VoicePart extends Part {
  /** Setting → port in use; none where this process has no calls. */
  readonly ports: () => Readonly<Record<string, number>>;
}

export function openVoice(context: Context, { ask }: WebhooksPart): VoicePart {
  const { store, clock, ids, guard, outside, supportContact } = context;
  const { sip } = outside;
  const deps: CallRouteDeps = {
    ids,
    rules: dialRules(sip),
    supportContact,
    isOpen: sip !== undefined,
    countriesOf: (accountSid) => countriesOf(store.db, accountSid, countryOf),
    hostFault: (uri) => hostFault(guard, uri),
    async untilEnded(accountSid, sid) {
      for (const deadlineMs = clock.elapsedMs() + END_WAIT_MS; ; ) {
        const call = await store.calls.find(accountSid, sid);
        if (!call || call.status === "Completed" || clock.elapsedMs() >= deadlineMs) return call;
        await pause(clock, END_POLL_MS);
      }
    },
  };
  let signalling: SipSignalling | undefined;
  return {
    name: "voice",
    ports: (): Readonly<Record<string, number>> => {
      const [port] = signalling?.ports ?? [];
      return port === undefined ? {} : { TANDEM_SIP_PORT: port };
    },
    operations: [...servedApi(voiceApi, deps), ...servedApi(shortApi, deps)],
    ...(sip && {
      work: async () => {
        const calls = await openCalls(context, sip, ask);
        signalling = calls.signalling;
        return calls.part;
      },
    }),
  };
}

async function openCalls(context: Context, sip: SipSettings, ask: WebhooksPart["ask"]) {
  const { config, connection, store, clock, ids, log, guard } = context;
  const db = new Database(connection, log, { connectionsMax: CONNECTIONS });
  const lease = new CallLease(connection, clock, log);
  await lease.open();
  const isTraced = config.settings.TANDEM_SIP_TRACE === "on";
  const trace = new SipTrace(db);
  const media = new RtpEngine(rtpSettings(context, sip), (input) => desk.takeMedia(input), log);
  const signalling = await openSignalling(config.settings.TANDEM_SIP_PORT, {
    sources: sip.sourceAddresses,
    trunks: sip.trunks,
    environment: config.secret,
    guard,
    clock,
    log,
    newLegSid: () => ids.sid("LG"),
    onInput: (input) => desk.takeSignal(input),
    onMessage: isTraced ? (record) => trace.add(record) : undefined,
  });
  const desk: CallDesk = new CallDesk({
    signalling,
    media,
    ledger: new StoredLedger(db, lease, clock),
    directory: callDirectory(db, countryOf),
    ask,
    rules: dialRules(sip),
    ids,
    clock,
    log,
  });
  const look = async () => {
    await desk.dialWaiting();
    await desk.endAbandoned();
  };
  store.notifier.onCalls((callSid) => {
    const done = callSid === "" ? desk.dialWaiting() : desk.hangUp(callSid);
    done.catch((error: Error) => log.warn({ reason: error.message }, "calls not looked for"));
  });
  const part: Part = {
    name: "calls",
    tasks: [
      { name: "look for calls", everyMs: LOOK_MS, run: look },
      { name: "write SIP messages", everyMs: FLUSH_MS, run: () => trace.flush(clock.now()) },
      { name: "sweep SIP messages", everyMs: SWEEP_MS, run: () => sweepSipMessages(db, clock.now(), TRACE_DAYS) },
    ],
    async close() {
      await desk.drain(config.settings.TANDEM_DRAIN_SECONDS * 1000);
      store.notifier.onCalls(() => undefined);
      await signalling.close();
      await media.close();
      await trace.flush(clock.now(), "all");
      await lease.close();
      await db.close();
    },
  };
  return { signalling, part };
}

async function openSignalling(port: number, options: Omit<SipSignallingOptions, "port">): Promise<SipSignalling> {
  try {
    return await openSipSignalling({ ...options, port });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const place = options.sources.map(({ address }) => address).join(" and ");
    if (code === "EADDRINUSE")
      throw new Error(`Port ${port} of ${place} is taken: stop that program, or set TANDEM_SIP_PORT (0 for any).`);
    if (code === "EADDRNOTAVAIL")
      throw new Error(`${place}: one of sip.sourceAddresses is not of this machine (${message}).`);
    throw error;
  }
}

function rtpSettings({ config }: Context, { sourceAddresses }: SipSettings) {
  const { TANDEM_RTP_PORTS: ports, TANDEM_RTP_PATH: path, TANDEM_ALLOWED_NETWORKS } = config.settings;
  const networks = [...TANDEM_ALLOWED_NETWORKS, ...(config.sandbox ? ["loopback"] : [])];
  const familyOf = (address: string) => isIP(address) as 4 | 6;
  const firstOf = (addresses: readonly string[]) =>
    ([4, 6] as const).flatMap((family) => {
      const address = addresses.find((one) => familyOf(one) === family);
      return address === undefined ? [] : [{ family, address }];
    });
  return {
    ports,
    addresses: firstOf(sourceAddresses.map(({ address }) => address)),
    publicAddresses: firstOf(sourceAddresses.flatMap(({ publicAddress }) => publicAddress ?? [])),
    allowedNetworks: networks.flatMap((text) =>
      (text === "loopback" ? ["127.0.0.0/8", "::1"] : [text]).flatMap((one) => parseNetwork(one) ?? []),
    ),
    inactivityMs: INACTIVITY_MS,
    path,
  };
}

const SIP_HOST = /^sip:[^@]*@(?:\[([^\]]*)\]|([^:;?]*))(?::(\d+))?/i;

/** Of a literal address; a name is judged when it is called. */
function hostFault({ mayConnect }: Context["guard"], uri: string): string | undefined {
  const [, v6, name = "", port] = SIP_HOST.exec(uri) ?? [];
  const address = v6 ?? name;
  const family = isIP(address);
  if (family === 0 || mayConnect(address, family as 4 | 6, Number(port ?? 5060))) return undefined;
  return `The address ${address} is not public, and calls may not go there unless TANDEM_ALLOWED_NETWORKS names its network.`;
}

function countryOf(number: string): string | undefined {
  const read = parseNumber(number);
  return read.ok ? read.value.country : undefined;
}
