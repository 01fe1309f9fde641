// The calls of a worker: SIP, RTP, the store, and the call desk that connects them.

import { isIP } from "node:net";
import { createSecureContext } from "node:tls";
import { MediaClient } from "../../adapters/attachments/attachment-client.ts";
import { ConferenceTickets } from "../../adapters/conference-tickets.ts";
import { MediaStreams } from "../../adapters/media-streams/media-streams.ts";
import { type RawDirectory, rawSamples } from "../../adapters/recordings/raw-directory.ts";
import { RtpEngine, type RtpSettings } from "../../adapters/rtp/rtp-engine.ts";
import { SipSignalling, type SipSignallingOptions } from "../../adapters/sip/signalling.ts";
import { FetchedSounds } from "../../adapters/sounds/fetched-sounds.ts";
import { Mp3Decoder } from "../../adapters/sounds/mp3-decoder.ts";
import { SharedSpeech } from "../../adapters/speech/shared-speech.ts";
import { makeSpeechEngine, type SpeechSettings, speakerOf } from "../../adapters/speech/speech-settings.ts";
import { REDIRECTED } from "../../adapters/store/engine/channels.ts";
import type { Condition } from "../../adapters/store/engine/conditions.ts";
import { Database } from "../../adapters/store/engine/database.ts";
import { areOthersStopped } from "../../adapters/store/stopped.ts";
import { callDirectory } from "../../adapters/store/voice/call-directory.ts";
import { CallLease } from "../../adapters/store/voice/call-lease.ts";
import { type LeftCalls, StoredLedger } from "../../adapters/store/voice/call-ledger.ts";
import { areBridgesOver, StoredBridges } from "../../adapters/store/voice/conference-bridges.ts";
import { StoredConferences } from "../../adapters/store/voice/conferences.ts";
import { LiveSip } from "../../adapters/store/voice/live-sip.ts";
import { closeLeft, hasOpenSegments, leftSegments } from "../../adapters/store/voice/recordings.ts";
import { Registrations } from "../../adapters/store/voice/registrations.ts";
import { hasSegmentWork } from "../../adapters/store/voice/segment-queue.ts";
import { SipTrace, sweepSipMessages } from "../../adapters/store/voice/sip-trace.ts";
import { ensureCallbacks } from "../../adapters/store/webhooks/callbacks.ts";
import { twimlReader } from "../../adapters/twilio/read-twiml.ts";
import { documentParameters } from "../../adapters/twilio/webhook-parameters.ts";
import { VoiceMetrics } from "../../adapters/voice-metrics.ts";
import { type Network, parseNetwork } from "../../base/cidr.ts";
import type { Clock } from "../../base/clock.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import { limitOf } from "../../domain/accounts/index.ts";
import {
  type AskedOfConference,
  type Call,
  CallDesk,
  type CallDeskDeps,
  ConferenceBridges,
  ConferenceDesk,
  countryOfNumber,
  type DocumentAnswer,
  type DocumentOrder,
  documentFields,
  type RecordingUrl,
  readScript,
  type ScriptAnswer,
  type SipMessageRecord,
  type Sounds,
} from "../../domain/voice/index.ts";
import type { AskOutcome } from "../../domain/webhooks/index.ts";
import { dialRules, type SipSettings } from "../config/sip.ts";
import { giveBackTask } from "../running/give-back-task.ts";
import type { Context, Part } from "../running/part.ts";
import { stopTimes } from "../running/stop-times.ts";
import type { Task } from "../running/tasks.ts";
import type { RecordingsPart } from "./recordings.ts";
import type { WebhooksPart } from "./webhooks.ts";

const CONNECTIONS = 4;
/** The longest pause for tasks that run within a second when their condition holds. */
const LOOK_MS = 60_000;
/** Life and death of other processes are counted in looks, one a second. */
const HOLDERS_MS = 1_000;
const SHOW_MS = 250;
const FLUSH_MS = 1_000;
const SWEEP_MS = 3_600_000;
const TRACE_DAYS = 7;
const INACTIVITY_MS = 60_000;

export interface OpenCalls {
  readonly signalling: SipSignalling;
  readonly desk: CallDesk;
  readonly sounds: Sounds;
  readonly part: Part;
}

export interface CallsOrder {
  readonly sip: SipSettings;
  readonly webhooks: Pick<WebhooksPart, "ask" | "askDocument" | "signStream">;
  readonly recordings: RecordingsPart;
}

export async function openCalls(context: Context, order: CallsOrder): Promise<OpenCalls> {
  const { connection, log } = context;
  const db = new Database(connection, log, { connectionsMax: CONNECTIONS });
  context.metrics.process.watchPool("calls", () => db.load);
  const lease = new CallLease(connection, log);
  try {
    await lease.open();
    return await openOver(context, order, { db, lease });
  } catch (fault) {
    // A start that fails must not leave anything open that keeps the process alive.
    await lease.close();
    await db.close();
    throw fault;
  }
}

interface OpenedStore {
  readonly db: Database;
  readonly lease: CallLease;
}

async function openOver(
  context: Context,
  { sip, webhooks, recordings: { raw, urlOf, finisher: newFinisher } }: CallsOrder,
  { db, lease }: OpenedStore,
): Promise<OpenCalls> {
  const { config, store, clock, ids, log } = context;
  const trace = traceOver(context, db);
  const contacts = new Registrations(db, lease, () => clock.now());
  const tickets = ticketsOf(context);
  const signalling: SipSignalling = await openSignalling(config.settings.TANDEM_SIP_PORT, {
    ...signallingSettings(context, sip),
    contacts,
    onSources: () => media.useAddresses(mediaAddresses(working(sip, signalling))),
    readTicket: (user) => tickets.read(user),
    onInput: (input) => bridges.takeSignal(input) || desk.takeSignal(input),
    ...trace.watch,
  });
  const finisher = newFinisher(db, lease);
  const speaker = makeSpeechEngine(config.file.speech, config.secret);
  // Audio leaves from the same addresses as SIP.
  const rtp = rtpSettings(context, working(sip, signalling), raw);
  const media = new RtpEngine(rtp, (input) => bridges.takeMedia(input) || desk.takeMedia(input), log, clock);
  const rules = dialRules(sip);
  const readerOf = readersOf(config.file.speech);
  const decoder = new Mp3Decoder();
  const sounds = new FetchedSounds({ files: new MediaClient({ guard: context.guard }), decoder });
  const ledger = new StoredLedger(db, lease, clock, raw.host, () => leftCalls(signalling, rules));
  const opened = { db, lease, rawHost: raw.host, signalling, media, sounds, calls: ledger, tickets };
  const { conferences, bridges, conferenceTasks } = conferencesOver(context, opened);
  const desk: CallDesk = new CallDesk({
    ...{ signalling, media },
    speech: new SharedSpeech(speaker),
    ...{ sounds, conferences },
    ledger,
    directory: callDirectory(db, lease, (number) => countryOfNumber(number, rules)),
    ask: async (event, cookies) => inItsLanguage(await webhooks.ask(event, cookies), readerOf),
    readerOf,
    askDocument: (question) => askDocument(webhooks, question, urlOf),
    takeParty: (accountSid) => takeParty(context, accountSid),
    ...{ rules, ids, clock, log, checkUrl: context.checkUrl, streams: streamsOver(context, webhooks) },
    readyCallbacks: (accountSid) => ensureCallbacks(store.db, context.box, accountSid, clock.now()),
    toneCountry: sip.toneCountry,
    report: (call) => noteEnd(context, metrics, call),
  });
  const metrics = new VoiceMetrics(context.metrics.registry, () => ({
    calls: desk.activeCount,
    freePorts: media.free,
    drops: signalling.drops,
    trunks: signalling.trunks(),
    open: signalling.open(),
  }));
  const close = async () => {
    store.notifier.onCalls = () => undefined;
    for (const one of [signalling, media, speaker, decoder, trace, finisher, contacts, lease, db]) await one.close();
  };
  store.notifier.onCalls = (notice) => obeyNotice({ desk, conferences }, notice, log);
  await followTrunks(context, signalling);
  const tasks: readonly Task[] = [
    { ...due("look for calls", ledger.hasWork, () => lookForCalls(desk, ledger, clock)), ignoresClock: true },
    ...conferenceTasks,
    giveBackTask(desk.claims, log, ledger.hasTakenOver),
    giveBackTask(finisher.claims, log),
    ...registrationTasks(signalling, lease, contacts),
    due("finish recordings", hasSegmentWork(raw.host), () => finisher.look()),
    ...looksFor(context, { db, raw, signalling }),
    ...trace.tasks,
  ];
  const drain = () => drainCalls(stopTimes(config.settings).workMs, { desk, conferences, bridges });
  return { signalling, desk, sounds, part: { name: "calls", tasks, leave: () => signalling.leave(), drain, close } };
}

function ticketsOf({ box, clock }: Context): ConferenceTickets {
  return new ConferenceTickets(
    () => box.all,
    () => clock.now(),
  );
}

interface Draining {
  readonly desk: CallDesk;
  readonly conferences: ConferenceDesk;
  readonly bridges: ConferenceBridges;
}

/** Parties of other nodes have as long as our own calls. */
async function drainCalls(workMs: number, { desk, conferences, bridges }: Draining): Promise<void> {
  await Promise.all([desk.drain(workMs), bridges.drain(workMs)]);
  await conferences.drain();
}

interface ConferencesOrder extends OpenedStore {
  /** The data directory of this process. */
  readonly rawHost: string;
  readonly signalling: SipSignalling;
  readonly media: RtpEngine;
  readonly sounds: Sounds;
  readonly calls: StoredLedger;
  readonly tickets: ConferenceTickets;
}

/** Those of this process, and the legs between it and other nodes. */
function conferencesOver(
  { clock, ids, log }: Context,
  { db, lease, rawHost, signalling, media, sounds, calls, tickets }: ConferencesOrder,
) {
  const held = new StoredConferences(db, lease, clock, { rawHost, place: () => signalling.place });
  const conferences: ConferenceDesk = new ConferenceDesk({
    ...{ media, sounds, ledger: held, ids, clock, log },
    bring: (entry, openHere) => bridges.bring(entry, openHere),
  });
  const bridges = new ConferenceBridges({
    ...{ signalling, media, calls, ids, clock, log },
    ledger: new StoredBridges(db, lease, clock, () => tickets.make()),
    find: (conferenceSid) => conferences.find(conferenceSid),
  });
  const areOver = areBridgesOver(() => bridges.watched);
  const conferenceTasks: readonly Task[] = [
    due("end conferences of dead processes", held.hasOthers, () => conferences.endAbandoned()),
    due("leave ended conferences of other nodes", areOver, () => bridges.look()),
  ];
  return { conferences, bridges, conferenceTasks };
}

function leftCalls(signalling: SipSignalling, { emergencyTrunk }: CallDeskDeps["rules"]): LeftCalls {
  return { numbers: signalling.isBestTrunkElsewhere, emergencies: signalling.isTrunkElsewhere(emergencyTrunk) };
}

async function followTrunks(context: Context, signalling: SipSignalling): Promise<void> {
  context.store.notifier.onRegistrations = (trunk) => signalling.contactsChanged(trunk);
  await signalling.loadContacts();
  await obeyStops(context, signalling);
}

function registrationTasks(signalling: SipSignalling, lease: CallLease, contacts: Registrations): readonly Task[] {
  const takeOver = async () => signalling.areTrunksElsewhere && lease.takeOver();
  return [
    { name: "look for registrations of dead processes", everyMs: HOLDERS_MS, run: takeOver },
    { name: "sweep registrations", everyMs: SWEEP_MS, run: () => contacts.sweep() },
  ];
}

/** A further party of a call costs as much as a call that is ordered. */
async function takeParty({ store, limits }: Context, accountSid: string): Promise<Result<number, string>> {
  const account = await store.accounts.find(accountSid);
  if (account?.status !== "Active") return refused("The account is suspended.");
  if (!account.features.includes("voice")) return refused("Voice is off for the account.");
  const limit = limitOf(account, "call");
  const { admitted } = await limits.take(accountSid, "call", limit, 1);
  if (admitted) return ok(limitOf(account, "concurrentCalls").requests);
  return refused(`The account may call ${limit.requests} parties in ${limit.windowSeconds} s, and has.`);
}

interface LooksDeps {
  readonly db: Database;
  readonly raw: RawDirectory;
  readonly signalling: SipSignalling;
}

function looksFor(context: Context, { db, raw, signalling }: LooksDeps): readonly Task[] {
  const stopped = () => signalling.trunks().flatMap(({ name, isStopped }) => (isStopped ? [name] : []));
  const now = () => context.clock.now();
  return [
    due("close left recordings", hasOpenSegments(raw.host), () => closeLeftSegments(db, raw, now())),
    {
      ...due("look for stopped trunks", areOthersStopped(stopped), () => obeyStops(context, signalling)),
      ignoresClock: true,
    },
  ];
}

/** The language of scripts follows the payload shape of those who answer with them. */
function readersOf(speech: SpeechSettings): CallDeskDeps["readerOf"] {
  const readTwiml = twimlReader(speakerOf(speech));
  return (shape) => (shape === "Twilio" ? readTwiml : readScript);
}

function inItsLanguage(answer: AskOutcome, readerOf: CallDeskDeps["readerOf"]): ScriptAnswer {
  if (answer.kind === "unanswered") return answer;
  const { body, deliverySid, document, fallback, payloadShape: shape } = answer;
  return { kind: "answered", body, deliverySid, source: { document, fallback, shape, read: readerOf(shape) } };
}

async function askDocument(
  webhooks: CallsOrder["webhooks"],
  { call, shape, document, facts, legSid, cookies }: DocumentOrder,
  urlOf: RecordingUrl,
): Promise<DocumentAnswer> {
  const write = shape === "Twilio" ? documentParameters : documentFields;
  const fields = write(call, facts, urlOf, legSid);
  const { sid: callSid, accountSid } = call;
  const outcome = await webhooks.askDocument({ accountSid, callSid, ...document, shape, fields, cookies });
  if (outcome.kind === "unanswered") return outcome;
  const { body, url, method } = outcome;
  return { kind: "answered", body, document: { url, method } };
}

function noteEnd({ traces }: Context, metrics: VoiceMetrics, call: Call): void {
  metrics.ended(call);
  traces?.ended(call);
}

function due(name: string, when: Condition, run: () => Promise<unknown>): Task {
  return { name, everyMs: LOOK_MS, when, run };
}

/** SIP messages are stored if the settings say so, and shown to current listeners. */
function traceOver({ config, clock, live }: Context, db: Database) {
  const kept = new SipTrace(db);
  const shown = new LiveSip(db);
  const isKept = config.settings.TANDEM_SIP_TRACE === "on";
  const show = async () => {
    const now = clock.now();
    for (const { accountSid, data } of await shown.take(now)) {
      live.publish({ kind: "SipMessage", accountSid, data }, now.getTime());
    }
  };
  const tasks: NonNullable<Part["tasks"]> = [
    { name: "show SIP messages", everyMs: SHOW_MS, ignoresClock: true, run: show },
    { name: "write SIP messages", everyMs: FLUSH_MS, ignoresClock: true, run: () => kept.flush(clock.now()) },
    { name: "sweep SIP messages", everyMs: SWEEP_MS, run: () => sweepSipMessages(db, clock.now(), TRACE_DAYS) },
  ];
  const isShown = () => live.isListened("SipMessage");
  return {
    tasks,
    watch: {
      isWatched: () => isKept || isShown(),
      onMessage(record: SipMessageRecord) {
        if (isKept) kept.add(record);
        if (isShown()) shown.add(record);
      },
    },
    close: () => kept.flush(clock.now(), "all"),
  };
}

/** Calls wait to be dialled, are to be redirected, a recording is to be switched, or a call hung up (channels.ts). */
function obeyNotice(
  { desk, conferences }: { readonly desk: CallDesk; readonly conferences: ConferenceDesk },
  notice: string,
  log: Context["log"],
): void {
  if (notice.startsWith("{")) {
    conferences.obey(JSON.parse(notice) as AskedOfConference);
    return;
  }
  if (notice.startsWith("CA")) {
    desk.hangUp(notice);
    return;
  }
  takeAsked(desk, notice).catch((error: Error) => log.warn({ reason: error.message }, "calls not looked for"));
}

function takeAsked(desk: CallDesk, notice: string): Promise<void> {
  if (notice === "") return desk.dialWaiting();
  if (notice === REDIRECTED) return desk.redirectAsked();
  return notice.startsWith("LG") ? desk.hangUpPartiesAsked(notice) : desk.switchAsked();
}

async function lookForCalls(desk: CallDesk, ledger: StoredLedger, clock: Clock): Promise<void> {
  await desk.dialWaiting();
  await desk.hangUpAsked();
  await desk.switchAsked();
  await desk.redirectAsked();
  await desk.hangUpPartiesAsked();
  if (clock.isRight) await ledger.takeOver();
}

async function closeLeftSegments(db: Database, raw: RawDirectory, now: Date): Promise<void> {
  for (const segment of await leftSegments(db, raw.host, now)) {
    await closeLeft(db, segment, rawSamples(raw, segment.rawFile) ?? 0, now);
  }
}

async function obeyStops({ store }: Context, signalling: SipSignalling): Promise<void> {
  const stopped = new Set((await store.stoppedTrunks.list()).map(({ name }) => name));
  for (const { name, isStopped } of signalling.trunks()) {
    if (stopped.has(name) !== isStopped) signalling.setStopped(name, !isStopped);
  }
}

/** TLS uses the port after SIP's own. */
function tlsOf(
  { tls: apiTls, settings: { TANDEM_SIP_PORT: port } }: Context["config"],
  { tls = apiTls }: SipSettings,
): SipSignallingOptions["tls"] {
  return tls && { ...tls, port: port === 0 ? 0 : port + 1 };
}

async function openSignalling(port: number, options: Omit<SipSignallingOptions, "port">): Promise<SipSignalling> {
  try {
    return await SipSignalling.open({ ...options, port });
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

function rtpSettings({ config }: Context, sources: SipSettings["sourceAddresses"], raw: RawDirectory): RtpSettings {
  const { TANDEM_RTP_PORTS: ports, TANDEM_RTP_PATH: path } = config.settings;
  return {
    ports,
    ...mediaAddresses(sources),
    allowedNetworks: allowedNetworks(config),
    inactivityMs: INACTIVITY_MS,
    path,
    rawDirectory: raw.path,
  };
}

function streamsOver({ guard, clock, ids, config }: Context, { signStream: sign }: CallsOrder["webhooks"]) {
  const privateNetworks = allowedNetworks(config);
  return new MediaStreams({ guard, clock, ids, sign, privateNetworks, secureContext: createSecureContext() });
}

function allowedNetworks({ settings, sandbox }: Context["config"]): readonly Network[] {
  const networks = [...settings.TANDEM_ALLOWED_NETWORKS, ...(sandbox ? ["loopback"] : [])];
  return networks.flatMap((text) =>
    (text === "loopback" ? ["127.0.0.0/8", "::1"] : [text]).flatMap((one) => parseNetwork(one) ?? []),
  );
}

function signallingSettings({ config, guard, clock, log, ids }: Context, sip: SipSettings) {
  return {
    sources: sip.sourceAddresses,
    digests: sip.digests,
    tls: tlsOf(config, sip),
    trunks: sip.trunks,
    environment: config.secret,
    guard,
    clock,
    log,
    newLegSid: () => ids.sid("LG"),
  };
}

/** An address that cannot be bound is not used. */
function working({ sourceAddresses }: SipSettings, { ports }: SipSignalling): SipSettings["sourceAddresses"] {
  const sources = sourceAddresses.filter((_source, at) => ports[at] !== 0);
  return sources.length > 0 ? sources : sourceAddresses;
}

/** The first source of each family. */
function mediaAddresses(sources: SipSettings["sourceAddresses"]): Pick<RtpSettings, "addresses" | "publicAddresses"> {
  const firsts = ([4, 6] as const).flatMap((family) => {
    const source = sources.find(({ address }) => isIP(address) === family);
    return source ? [{ ...source, family }] : [];
  });
  return {
    addresses: firsts.map(({ family, address }) => ({ family, address })),
    publicAddresses: firsts.flatMap(({ publicAddress: address }) =>
      address === undefined ? [] : [{ family: isIP(address) as 4 | 6, address }],
    ),
  };
}
