// Recordings: where their files are stored, the links to them, and in a worker the removal of deleted ones. Making the
// files from recorded audio belongs to the calls (`calls.ts`).

import { type MediaLink, mediaLinks } from "../../adapters/attachments/attachment-links.ts";
import type { RecordingRouteDeps } from "../../adapters/http/routes/voice/recordings.ts";
import { addRecordingMetrics } from "../../adapters/recording-metrics.ts";
import { EncoderPool } from "../../adapters/recordings/encoder-pool.ts";
import { openRawDirectory, type RawDirectory } from "../../adapters/recordings/raw-directory.ts";
import { openRecordingFiles } from "../../adapters/recordings/recording-settings.ts";
import { segmentEncoder, sweepUnfinished } from "../../adapters/recordings/segment-encoder.ts";
import type { Database } from "../../adapters/store/engine/database.ts";
import type { CallLease } from "../../adapters/store/voice/call-lease.ts";
import { sweepConferences } from "../../adapters/store/voice/conferences.ts";
import { segmentQueue } from "../../adapters/store/voice/segment-queue.ts";
import {
  findOwner,
  findStoredSegment,
  hasRemovedSegments,
  isSegmentAwaited,
  removedSegments,
  sweepCalls,
} from "../../adapters/store/voice/stored-segments.ts";
import { countRecordings } from "../../adapters/store/voice/troubled-recordings.ts";
import { type RecordingUrl, removeSegments, SegmentFinisher, type SegmentPlace } from "../../domain/voice/index.ts";
import type { Context, Part } from "../running/part.ts";
import { reconcileTask } from "../running/reconcile.ts";

const REMOVE_MS = 60_000;
const SWEEP_MS = 3_600_000;

export interface RecordingsPart extends Part {
  readonly raw: RawDirectory;
  readonly routeDeps: RecordingRouteDeps;
  /** A link to a segment that needs no credentials until it expires. */
  readonly urlOf: RecordingUrl;
  /** Makes the files from audio that was recorded on this machine. */
  readonly finisher: (db: Database, lease: CallLease) => SegmentFinisher;
}

export function openRecordings(context: Context): RecordingsPart {
  const { config, store, clock, log } = context;
  const { dataDir, file, settings } = config;
  const raw = openRawDirectory(dataDir);
  const files = openRecordingFiles(file.recordings, dataDir, config.secret);
  const links = signedLinks(context);
  const findSegment = (callSid: string, place: SegmentPlace) => findStoredSegment(store.db, callSid, place);
  const encoder = segmentEncoder(dataDir, new EncoderPool({ lame: file.recordings?.lame }));
  const removed = removedSegments(store.db, { host: raw.host, isShared: file.recordings?.s3 !== undefined });
  const { TANDEM_CALL_DAYS: keptDays } = settings;
  addRecordingMetrics(context.metrics.registry, () => countRecordings(store.db));
  return {
    name: "recordings",
    raw,
    urlOf: links.urlOf,
    routeDeps: {
      files,
      findSegment,
      isAwaited: (accountSid, callSid, place) => isSegmentAwaited(store.db, accountSid, callSid, place),
      async linkedAccount(callSid, place, link) {
        if (!links.isGood(callSid, place, link)) return undefined;
        const accountSid = await findOwner(store.db, callSid);
        return accountSid === undefined ? undefined : store.accounts.find(accountSid);
      },
    },
    finisher: (db, lease) =>
      new SegmentFinisher({
        queue: segmentQueue(db, { lease, host: raw.host, urlOf: links.urlOf }),
        encoder,
        files,
        clock,
        log,
      }),
    workerTasks: [
      reconcileTask(context, {
        name: "remove-recordings",
        everyMs: REMOVE_MS,
        when: hasRemovedSegments,
        async run() {
          const { failure, ...counts } = await removeSegments({ removed, files, local: encoder });
          return { counts, ...(failure === undefined ? {} : { failure }) };
        },
      }),
      { name: "sweep encodings", everyMs: SWEEP_MS, run: () => sweepUnfinished(dataDir, clock.now()) },
      ...(keptDays === undefined
        ? []
        : [
            { name: "sweep calls", everyMs: SWEEP_MS, run: () => sweepCalls(store.db, clock.now(), keptDays) },
            {
              name: "sweep conferences",
              everyMs: SWEEP_MS,
              run: () => sweepConferences(store.db, clock.now(), keptDays),
            },
          ]),
    ],
  };
}

function signedLinks({ box, clock, publicUrl }: Context) {
  const links = mediaLinks("recording links", box);
  return {
    urlOf(callSid: string, place: SegmentPlace): string {
      const { expires, signature } = links.sign(`${callSid}/${place}`, clock.now());
      return `${publicUrl()}/v1/Voice/Calls/${callSid}/recordings/${place}?expires=${expires}&signature=${signature}`;
    },
    isGood: (callSid: string, place: SegmentPlace, link: MediaLink) =>
      links.verify(`${callSid}/${place}`, link, clock.now()),
  };
}
