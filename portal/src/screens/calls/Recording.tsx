// The recording of a call: the first leg above the line, the second below, a pause as a hatched gap. The position is in
// the URL (`?at=32`). Space plays, the arrows seek five seconds. The waveform is decoded when the user plays the
// recording, seeks in it, or follows a link to a position in it.

import type { Call, CallRecording, RecordingSegment } from "@tandem/sdk";
import { useQueries } from "@tanstack/react-query";
import { Fragment, type PointerEvent, useId, useState } from "react";
import { Icon } from "../../components/icon.tsx";
import { useKeys } from "../../components/keys.ts";
import { tableOf } from "../../components/lookup-table.ts";
import { Section } from "../../components/page.tsx";
import { useSearchState } from "../../components/search-state.ts";
import { Sid } from "../../components/sid.tsx";
import { Status } from "../../components/status.tsx";
import { toast } from "../../components/toast.tsx";
import { duration, talkTime } from "../../components/zone.ts";
import { type Player, totalOf, usePlayer } from "./use-player.ts";
import { type Peaks, pathOf, peaksOf, WAVE_HEIGHT, waveWidth } from "./waveform.ts";

const BARS = 150;
const STEP_S = 5;

export interface RecordingProps {
  readonly call: Call;
  readonly recording: CallRecording;
}

export function Recording({ call, recording }: RecordingProps) {
  const { segments, durationSeconds, status } = recording;
  const ready = segments.filter(({ url }) => url !== null);
  const length = durationSeconds > 0 ? `, ${talkTime(durationSeconds)}` : "";
  const count = `${segments.length} ${segments.length === 1 ? "segment" : "segments"}${length}`;
  return (
    <Section
      title="Recording"
      count={
        segments.length > 0 && (
          <>
            {count}
            <span className="hide-phone">, stereo</span>
          </>
        )
      }
      aside={
        <>
          <span className="hide-phone">
            <Sid value={recording.sid} />
          </span>
          <Status kind="recording" value={status} />
        </>
      }
    >
      {ready.length > 0 ? (
        <PlayedRecording call={call} segments={ready} />
      ) : (
        <p className="recording-none dim">
          {WHY_NOT_YET.get(status) ?? "Nothing was recorded: both parties never spoke."}
        </p>
      )}
    </Section>
  );
}

const WHY_NOT_YET = tableOf({
  Recording: "It can be played as soon as a segment has ended: at a pause, or at the end of the call.",
  Paused: "The segment is being made ready.",
  Processing: "The segment is being made ready.",
  Failed: "It was lost: the call's steps say why.",
});

function PlayedRecording({ call, segments }: { readonly call: Call; readonly segments: readonly RecordingSegment[] }) {
  const [search, change] = useSearchState();
  const startAt = Number(search.at);
  const [isWanted, setWanted] = useState(search.at !== undefined);
  const player = usePlayer({
    callSid: call.sid,
    segments,
    startAt: Number.isFinite(startAt) ? startAt : 0,
    onProblem: (error) => toast.problem("Not played.", error),
    onRest: (at) => change({ at: at === 0 ? undefined : at.toFixed(0) }),
  });
  const want = (action: () => void) => () => {
    setWanted(true);
    action();
  };
  useKeys({
    " ": want(player.toggle),
    ArrowLeft: want(() => player.seek(player.at - STEP_S)),
    ArrowRight: want(() => player.seek(player.at + STEP_S)),
  });
  const seek = (at: number) => want(() => player.seek(at))();
  return (
    <div className="player">
      <button
        type="button"
        className="button button-primary player-play"
        title={`${player.isPlaying ? "Pause" : "Play"}, Space`}
        onClick={want(player.toggle)}
      >
        <Icon name={player.isPlaying ? "pause" : "play"} />
        <span className="vh">{player.isPlaying ? "Pause" : "Play"}</span>
      </button>
      <Waves call={call} segments={segments} player={player} isWanted={isWanted} onSeek={seek} />
      <div className="player-more">
        <button type="button" className="player-link num hovers" title="Speed" onClick={player.changeRate}>
          {player.rate}×
        </button>
        {segments.map(({ index }) => (
          <a
            key={index}
            className="player-link hovers"
            href={`/v1/Voice/Calls/${call.sid}/recordings/${index}`}
            download={`${call.sid}-${index}.mp3`}
          >
            <Icon name="download" small />
            Segment {index}
          </a>
        ))}
      </div>
    </div>
  );
}

interface WavesProps {
  readonly call: Call;
  readonly segments: readonly RecordingSegment[];
  readonly player: Player;
  readonly isWanted: boolean;
  readonly onSeek: (at: number) => void;
}

function Waves({ call, segments, player, isWanted, onSeek }: WavesProps) {
  const total = totalOf(segments) || 1;
  const barsOf = ({ durationSeconds }: RecordingSegment) =>
    Math.max(8, Math.round((BARS * (durationSeconds ?? 0)) / total));
  const decoded = useQueries({
    queries: segments.map((segment) => ({
      queryKey: ["call", "peaks", call.sid, segment.index, barsOf(segment)],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        peaksOf(call.sid, segment.index, barsOf(segment), signal),
      enabled: isWanted,
      staleTime: Number.POSITIVE_INFINITY,
      retry: false,
    })),
  });
  const loudest = Math.max(0.02, ...decoded.flatMap(({ data }) => (data ? [...data.first, ...data.second] : [])));
  const starts = segments.map((_, index) => totalOf(segments.slice(0, index)));
  return (
    <div
      className="waves"
      role="slider"
      tabIndex={0}
      aria-label="Place in the recording"
      aria-valuemin={0}
      aria-valuemax={Math.round(total)}
      aria-valuenow={Math.round(player.at)}
      aria-valuetext={`${talkTime(player.at)} of ${talkTime(total)}`}
    >
      {segments.map((segment, index) => {
        const from = starts[index] ?? 0;
        const next = segments[index + 1];
        const isHere = player.at >= from && (next === undefined || player.at < from + (segment.durationSeconds ?? 0));
        return (
          <Fragment key={segment.index}>
            <Segment
              segment={segment}
              bars={barsOf(segment)}
              peaks={decoded[index]?.data}
              loudest={loudest}
              played={player.at - from}
              head={isHere && isWanted ? player.at : undefined}
              hint={index === 0 && !isWanted}
              onSeek={(offset) => onSeek(from + offset)}
            />
            {next && <Gap seconds={pauseBetween(segment, next)} />}
          </Fragment>
        );
      })}
    </div>
  );
}

function pauseBetween(segment: RecordingSegment, next: RecordingSegment): number {
  return (Date.parse(next.startedOn) - Date.parse(segment.startedOn)) / 1000 - (segment.durationSeconds ?? 0);
}

function Gap({ seconds }: { readonly seconds: number }) {
  return (
    <div className="wave-gap">
      <span>
        {duration(Math.max(0, seconds) * 1000)}
        <br />
        paused
      </span>
    </div>
  );
}

interface SegmentProps {
  readonly segment: RecordingSegment;
  readonly bars: number;
  readonly peaks: Peaks | undefined;
  readonly loudest: number;
  /** How much of it is before the playhead, in seconds. */
  readonly played: number;
  /** The position of the playhead, if it is here. */
  readonly head: number | undefined;
  readonly hint: boolean;
  readonly onSeek: (offset: number) => void;
}

function Segment({ segment, bars, peaks, loudest, played, head, hint, onSeek }: SegmentProps) {
  const clip = useId();
  const length = segment.durationSeconds || 1;
  const share = Math.min(1, Math.max(0, played / length));
  const width = waveWidth(bars);
  const seek = (event: PointerEvent<HTMLDivElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    onSeek(((event.clientX - box.left) / box.width) * length);
  };
  const first = peaks && pathOf(peaks.first, loudest, true);
  const second = peaks && pathOf(peaks.second, loudest, false);
  return (
    <div className="wave" style={{ flexGrow: length }} onPointerDown={seek}>
      {first && second && (
        <svg viewBox={`0 0 ${width} ${WAVE_HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          <clipPath id={clip}>
            <rect width={width * share} height={WAVE_HEIGHT} />
          </clipPath>
          <g className="wave-rest">
            <path className="wave-first" d={first} />
            <path className="wave-second" d={second} />
          </g>
          <g clipPath={`url(#${clip})`}>
            <path className="wave-first" d={first} />
            <path className="wave-second" d={second} />
          </g>
        </svg>
      )}
      <span className="wave-number">{segment.index}</span>
      {hint && <span className="wave-hint">Play, or press here, to see and hear it</span>}
      {head !== undefined && (
        <div className="wave-head" style={{ left: `${share * 100}%` }}>
          <b className={share > 0.8 ? "wave-head-left" : undefined}>{talkTime(head)}</b>
        </div>
      )}
    </div>
  );
}
