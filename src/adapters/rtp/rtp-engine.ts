// Media of calls over RTP: gives each leg a pair of ports, and sockets in a thread or process apart from ours.
//
// Guarantees: no more legs than pairs of ports, whose number is fixed; a pair that another program uses is skipped; a
// pair is free again when its sockets are closed.

import { statSync } from "node:fs";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import type { Network } from "../../base/cidr.ts";
import { type Clock, systemClock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import type { MediaEngine, MediaInput, MediaLeg, Mix, RawSegmentOrder, Recorder } from "../../domain/voice/ports.ts";
import { NO_QUALITY, type Quality } from "../../wire/rtp/reception.ts";
import { type Program, processOf, threadOf } from "../program.ts";
import type { LocalAddress, MediaOrder, MediaPath, MediaReport } from "./control.ts";
import { gatherSends } from "./gathered-sends.ts";
import { packOrders, type SentReport, unpackReports } from "./packed-sound.ts";
import { PortRange } from "./port-range.ts";
import { type MediaPlaces, RtpLeg } from "./rtp-leg.ts";

export interface RtpSettings {
  readonly ports: { readonly min: number; readonly max: number };
  /** Where sockets are bound: one address for each supported family. */
  readonly addresses: readonly LocalAddress[];
  /** Advertised to peers instead, behind a NAT. */
  readonly publicAddresses: readonly LocalAddress[];
  readonly allowedNetworks: readonly Network[];
  /** A leg whose peer sends nothing for this long is reported as inactive. */
  readonly inactivityMs: number;
  readonly path: MediaPath;
  /** Where raw segments of recordings are written. */
  readonly rawDirectory: string;
  /** The program that holds the sockets; the build puts it beside ours. */
  readonly workerFile?: URL;
}

const BUILT_WORKER = new URL("./media-worker.js", import.meta.url);

/** `lost`: the relay ended. A refusal is why this pair of ports cannot be opened, for instance because it is in use. */
type Opening = "open" | "lost" | { readonly refusal: string };

interface OpenLeg {
  readonly legSid: string;
  readonly rtpPort: number;
  readonly opened: (outcome: Opening) => void;
  readonly closed: (quality: Quality) => void;
  /** Undefined until its sockets are open. */
  leg: RtpLeg | undefined;
}

/** The thread or process that holds the sockets. */
interface Relay {
  readonly program: Program;
  readonly ended: Promise<void>;
  readonly order: (order: MediaOrder, isUrgent?: boolean) => void;
}

interface RunningRecorder {
  readonly fault: (reason: string) => void;
  readonly file: string;
  readonly recorded: (samples: number) => void;
}

type RecordedSound =
  | { readonly kind: "record"; readonly leg: number; readonly other: number | undefined }
  | { readonly kind: "recordConference"; readonly mix: number };

export class RtpEngine implements MediaEngine {
  readonly #settings: RtpSettings;
  readonly #tell: (input: MediaInput) => void;
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #ports: PortRange;
  #places: MediaPlaces;
  readonly #legs = new Map<number, OpenLeg>();
  readonly #recorders = new Map<number, RunningRecorder>();
  /** When it dies, its legs are lost: each is reported as inactive, and the next leg starts a new one. */
  #relay: Relay | undefined;
  #nextName = 1;

  constructor(settings: RtpSettings, tell: (input: MediaInput) => void, log: Log, clock: Clock = systemClock) {
    this.#clock = clock;
    this.#settings = settings;
    this.#tell = tell;
    this.#log = log;
    this.#ports = new PortRange(settings.ports.min, settings.ports.max);
    this.#places = placesOf(settings);
    // Started now, so that the first call does not wait for it and its faults show at the start.
    this.#startedRelay();
  }

  /** New legs have sockets there, and those under way from their next offer or answer on. */
  useAddresses(settings: Pick<RtpSettings, "addresses" | "publicAddresses">): void {
    this.#places = placesOf(settings);
  }

  /** Pairs of ports that are free. */
  get free(): number {
    return this.#ports.free;
  }

  /** Tries each free pair once: another program may use many of the range. */
  async open(legSid: string): Promise<Result<MediaLeg, "full">> {
    let opened: MediaLeg | undefined;
    const refusals: string[] = [];
    for (let left = this.#ports.free; left > 0 && !opened; left--) {
      const rtpPort = this.#ports.take();
      if (rtpPort === undefined) break;
      const leg = await this.#openAt(legSid, rtpPort, refusals.length > 0);
      if (leg === "lost") break;
      if ("refusal" in leg) refusals.push(leg.refusal);
      else opened = leg;
    }
    const [reason] = refusals;
    if (reason) this.#log.warn({ pairs: refusals.length, reason }, "media ports could not be opened");
    return opened ? ok(opened) : refused("full");
  }

  record(first: MediaLeg, second: MediaLeg | undefined, segment: RawSegmentOrder): Recorder {
    const isOurs = first instanceof RtpLeg && (second === undefined || second instanceof RtpLeg);
    if (!isOurs) throw new Error("legs of another engine");
    const { sid: legSid } = first;
    const fault = (reason: string) => this.#tell({ at: this.#clock.now(), legSid, kind: "recordingFault", reason });
    return this.#record({ kind: "record", leg: first.name, other: second?.name }, segment, fault);
  }

  #record(what: RecordedSound, { file: name, startedOn }: RawSegmentOrder, fault: RunningRecorder["fault"]): Recorder {
    const relay = this.#startedRelay();
    const recorder = this.#nextName++;
    const file = join(this.#settings.rawDirectory, name);
    const recorded = new Promise<number>((resolve) => {
      this.#recorders.set(recorder, { fault, file, recorded: resolve });
    });
    relay({ ...what, recorder, file, startedMs: this.#dateMs(startedOn) });
    return {
      stop: (at) => {
        relay({ kind: "stopRecording", recorder, endedMs: this.#dateMs(at) });
        return recorded;
      },
    };
  }

  mix(): Mix {
    const mix = this.#nextName++;
    const ours = (leg: MediaLeg): RtpLeg => {
      if (!(leg instanceof RtpLeg)) throw new Error("a leg of another engine");
      return leg;
    };
    return {
      set: (leg, part) => ours(leg).confer(mix, part),
      remove: (leg) => ours(leg).leaveConference(),
      play: (tone) => this.#startedRelay()({ kind: "conferenceTone", mix, tone }),
      record: (segment, fault) => this.#record({ kind: "recordConference", mix }, segment, fault),
    };
  }

  /** The same moment on the scale of `Date.now()`, which the relay uses. */
  #dateMs(at: Date): number {
    return Date.now() - (this.#clock.now().getTime() - at.getTime());
  }

  async close(): Promise<void> {
    const relay = this.#relay;
    this.#relay = undefined;
    relay?.program.kill();
    await relay?.ended;
    for (const [name, leg] of [...this.#legs]) this.#forget(name, leg, NO_QUALITY);
    this.#endRecorders();
  }

  /** `isUrgent`: not the first pair that is tried for the leg. */
  async #openAt(legSid: string, rtpPort: number, isUrgent: boolean): Promise<MediaLeg | Exclude<Opening, "open">> {
    const name = this.#nextName++;
    const relay = this.#startedRelay();
    let close: (quality: Quality) => void = () => {};
    const closed = new Promise<Quality>((resolve) => {
      close = resolve;
    });
    const opening = await new Promise<Opening>((opened) => {
      this.#legs.set(name, { legSid, rtpPort, opened, closed: close, leg: undefined });
      relay({ kind: "open", leg: name, rtpPort, addresses: this.#places.addresses }, isUrgent);
    });
    if (opening !== "open") return opening;
    const leg = new RtpLeg({
      sid: legSid,
      name,
      rtpPort,
      places: () => this.#places,
      allowedNetworks: this.#settings.allowedNetworks,
      order: relay,
      closed,
    });
    const open = this.#legs.get(name);
    if (open) open.leg = leg;
    return leg;
  }

  /** Sends orders to the relay, which is started if there is none. */
  #startedRelay(): Relay["order"] {
    this.#relay ??= this.#startRelay();
    return this.#relay.order;
  }

  #startRelay(): Relay {
    const { workerFile = BUILT_WORKER, inactivityMs, path } = this.#settings;
    const settings = { inactivityMs, path };
    const start =
      path === "fast"
        ? processOf(workerFile, [JSON.stringify(settings)], { serialization: "advanced" })
        : threadOf(workerFile, settings);
    let over = () => {};
    const ended = new Promise<void>((resolve) => {
      over = resolve;
    });
    const program = start({
      hear: (reports) => {
        unpackReports(reports as readonly SentReport[], (report) => this.#hear(report));
      },
      ended: (reason) => {
        over();
        if (this.#relay === relay) this.#lost(reason);
      },
    });
    program.hold(false);
    const order = gatherSends<MediaOrder>(this.#clock, (orders) => program.send(packOrders(orders)));
    const relay = { program, ended, order };
    return relay;
  }

  #hear(report: MediaReport): void {
    if (report.kind === "notFast") {
      this.#log.warn({ reason: report.reason }, "the fast path of media is not available; the portable one is used");
      return;
    }
    if ("recorder" in report) {
      this.#hearRecorder(report);
      return;
    }
    const leg = this.#legs.get(report.leg);
    if (!leg) return;
    if (report.kind === "opened") leg.opened("open");
    else if (report.kind === "refused") {
      leg.opened({ refusal: report.reason });
      this.#forget(report.leg, leg, NO_QUALITY);
    } else if (report.kind === "closed") this.#forget(report.leg, leg, report.quality);
    else if (report.kind === "measured") leg.leg?.measured(report.quality);
    else if (report.kind === "wantsSpeech") leg.leg?.wantsSpeech(report.speech);
    else if (report.kind === "streamed" || report.kind === "marked") leg.leg?.hearStream(report);
    else if (report.kind === "played") {
      if (leg.leg?.isPlaying(report.speech)) this.#tell({ at: this.#clock.now(), legSid: leg.legSid, kind: "played" });
    } else {
      const { leg: _name, ...what } = report;
      this.#tell({ at: this.#clock.now(), legSid: leg.legSid, ...what });
    }
  }

  #hearRecorder(report: Extract<MediaReport, { kind: "recorded" | "recordingFault" }>): void {
    const recorder = this.#recorders.get(report.recorder);
    if (!recorder) return;
    if (report.kind === "recordingFault") {
      recorder.fault(report.reason);
      return;
    }
    this.#recorders.delete(report.recorder);
    recorder.recorded(report.samples);
  }

  /** Without a relay, the length of a recording is what its file holds. */
  #endRecorders(): void {
    for (const { file, recorded } of this.#recorders.values()) {
      recorded(Math.floor((statSync(file, { throwIfNoEntry: false })?.size ?? 0) / 2));
    }
    this.#recorders.clear();
  }

  #forget(name: number, leg: OpenLeg, quality: Quality): void {
    this.#legs.delete(name);
    this.#ports.giveBack(leg.rtpPort);
    leg.opened("lost");
    leg.closed(quality);
  }

  #lost(reason: string): void {
    this.#log.error({ reason, legs: this.#legs.size }, "the media relay was lost");
    this.#relay = undefined;
    for (const [name, leg] of [...this.#legs]) {
      this.#forget(name, leg, NO_QUALITY);
      // One that is not open yet is refused.
      const isLost = leg.leg !== undefined;
      this.#tell({ at: this.#clock.now(), legSid: leg.legSid, kind: "inactive", isLost });
    }
    this.#endRecorders();
  }
}

function placesOf(settings: Pick<RtpSettings, "addresses" | "publicAddresses">): MediaPlaces {
  const { addresses, publicAddresses } = settings;
  const isOnAll = publicAddresses.length === 0 && addresses.every(isAny);
  return { addresses, advertised: advertisedBy(settings), isOnAll };
}

/** The public address, else the bound one, else (bound to all) the first one that is not a loopback address. */
function advertisedBy({
  addresses,
  publicAddresses,
}: Pick<RtpSettings, "addresses" | "publicAddresses">): Partial<Record<4 | 6, string>> {
  const told: Partial<Record<4 | 6, string>> = {};
  for (const { family, address } of addresses) {
    const known = publicAddresses.find((each) => each.family === family)?.address;
    told[family] = known ?? (isAny({ family, address }) ? ownAddress(family) : address);
  }
  return told;
}

function isAny({ address }: LocalAddress): boolean {
  return address === "0.0.0.0" || address === "::";
}

function ownAddress(family: 4 | 6): string {
  const all = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  const own = all.filter((each) => each.family === `IPv${family}` && !each.address.startsWith("fe80"));
  return (own.find(({ internal }) => !internal) ?? own[0])?.address ?? (family === 4 ? "127.0.0.1" : "::1");
}
