// Plays the segments of a recording one after the other, as if they were one: positions are in seconds of recorded
// audio, pauses do not count. Nothing is loaded before it is played.

import type { RecordingSegment } from "@tandem/sdk";
import { useEffect, useRef, useState } from "react";

export interface Player {
  readonly isPlaying: boolean;
  /** In seconds from the beginning of the first segment. */
  readonly at: number;
  readonly rate: number;
  toggle(): void;
  seek(at: number): void;
  changeRate(): void;
}

const RATES = [1, 1.5, 2, 0.75];
/** This near the end, in seconds, play starts over from the beginning. */
const EPSILON_S = 0.05;

interface Place {
  readonly segment: RecordingSegment;
  /** The position within the segment. */
  readonly offset: number;
  /** The position at which the segment begins. */
  readonly from: number;
}

const lengthOf = ({ durationSeconds }: RecordingSegment): number => durationSeconds ?? 0;

export function totalOf(segments: readonly RecordingSegment[]): number {
  return segments.reduce((sum, segment) => sum + lengthOf(segment), 0);
}

/** The segment at a position. */
export function placeOf(segments: readonly RecordingSegment[], at: number): Place | undefined {
  let from = 0;
  for (const [index, segment] of segments.entries()) {
    const isLast = index === segments.length - 1;
    if (at < from + lengthOf(segment) || isLast) return { segment, from, offset: Math.max(0, at - from) };
    from += lengthOf(segment);
  }
  return undefined;
}

function startOf(segments: readonly RecordingSegment[], index: number | undefined): number {
  return totalOf(
    segments.slice(
      0,
      segments.findIndex((segment) => segment.index === index),
    ),
  );
}

export interface PlayerOrder {
  readonly callSid: string;
  readonly segments: readonly RecordingSegment[];
  readonly startAt: number;
  readonly onProblem: (error: unknown) => void;
  /** The position after a pause or a seek. */
  readonly onRest: (at: number) => void;
}

export function usePlayer({ callSid, segments, startAt, onProblem, onRest }: PlayerOrder): Player {
  const [audio] = useState(() => new Audio());
  const [at, setAt] = useState(startAt);
  const [isPlaying, setPlaying] = useState(false);
  const [rate, setRate] = useState(1);
  const loaded = useRef<number | undefined>(undefined);
  const total = totalOf(segments);

  const play = async (from: number) => {
    const place = placeOf(segments, from >= total - EPSILON_S ? 0 : from);
    if (!place) return;
    if (loaded.current !== place.segment.index) {
      audio.src = `/v1/Voice/Calls/${callSid}/recordings/${place.segment.index}`;
      loaded.current = place.segment.index;
    }
    audio.currentTime = place.offset;
    audio.playbackRate = rate;
    setPlaying(true);
    try {
      await audio.play();
    } catch (error) {
      // The button was pressed again before playback had begun.
      if (error instanceof DOMException && error.name === "AbortError") return;
      setPlaying(false);
      onProblem(error);
    }
  };

  useProgress(audio, isPlaying, {
    onTime: (offset) => setAt(startOf(segments, loaded.current) + offset),
    onEnd: () => {
      const index = segments.findIndex((segment) => segment.index === loaded.current);
      const next = totalOf(segments.slice(0, index + 1));
      setAt(next);
      if (index + 1 < segments.length) void play(next);
      else setPlaying(false);
    },
  });
  useEffect(() => () => audio.pause(), [audio]);

  return {
    isPlaying,
    at: Math.min(at, total),
    rate,
    toggle() {
      if (!isPlaying) void play(at);
      else {
        audio.pause();
        setPlaying(false);
        onRest(at);
      }
    },
    seek(next) {
      const place = Math.min(total, Math.max(0, next));
      setAt(place);
      onRest(place);
      if (isPlaying) void play(place);
    },
    changeRate() {
      const next = RATES[(RATES.indexOf(rate) + 1) % RATES.length] ?? 1;
      audio.playbackRate = next;
      setRate(next);
    },
  };
}

interface Progress {
  readonly onTime: (offset: number) => void;
  readonly onEnd: () => void;
}

/** Reports the position once a frame, and the end. */
function useProgress(audio: HTMLAudioElement, isPlaying: boolean, progress: Progress): void {
  const current = useRef(progress);
  current.current = progress;
  useEffect(() => {
    let frame = 0;
    const follow = () => {
      if (!audio.paused) current.current.onTime(audio.currentTime);
      frame = requestAnimationFrame(follow);
    };
    const ended = () => current.current.onEnd();
    audio.addEventListener("ended", ended);
    if (isPlaying) frame = requestAnimationFrame(follow);
    return () => {
      audio.removeEventListener("ended", ended);
      cancelAnimationFrame(frame);
    };
  }, [audio, isPlaying]);
}
