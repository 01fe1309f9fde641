// A status: shape, then colour, always a word. The words are the API's where those are clear enough.

import { Shape, type ShapeName, type Tone } from "./shape.tsx";
import "./status.css";

interface Mark {
  readonly shape: ShapeName;
  readonly tone: Tone;
  readonly word: string;
}

const mark = (shape: ShapeName, tone: Tone, word: string): Mark => ({ shape, tone, word });

const ENDINGS_OF_CALLS: Record<string, Mark> = {
  Completed: mark("done", "neutral", "Completed"),
  HungUp: mark("done", "neutral", "Completed"),
  ScriptHangup: mark("done", "neutral", "Ended by its script"),
  NoAnswer: mark("noAnswer", "bad", "No answer"),
  Busy: mark("busy", "bad", "Busy"),
  Canceled: mark("canceled", "neutral", "Canceled"),
};

/** Every status of the API, by the kind of thing that has it. */
const MARKS = {
  message: {
    Queued: mark("queued", "neutral", "Queued"),
    Sent: mark("sent", "accent", "Sent"),
    Delivered: mark("delivered", "ok", "Delivered"),
    Failed: mark("failed", "bad", "Failed"),
    Expired: mark("expired", "bad", "Expired"),
    Canceled: mark("canceled", "neutral", "Canceled"),
    Unknown: mark("unknown", "warn", "Outcome unknown, 3100"),
    Received: mark("done", "neutral", "Received"),
  },
  call: {
    Started: mark("queued", "neutral", "Started"),
    Ringing: mark("ringing", "accent", "Ringing"),
    Answered: mark("active", "ok", "Answered"),
    ...ENDINGS_OF_CALLS,
  },
  conference: {
    Waiting: mark("queued", "neutral", "Waiting"),
    InProgress: mark("active", "ok", "In progress"),
    Completed: mark("done", "neutral", "Ended"),
  },
  recording: {
    Recording: mark("recording", "recording", "Recording"),
    Paused: mark("paused", "warn", "Paused"),
    Processing: mark("pending", "accent", "Processing"),
    Completed: mark("done", "neutral", "Completed"),
    Failed: mark("failed", "bad", "Failed"),
  },
  stream: {
    Started: mark("active", "ok", "Started"),
    Stopped: mark("done", "neutral", "Stopped"),
    Failed: mark("failed", "bad", "Failed"),
  },
  number: {
    PendingPortIn: mark("pending", "accent", "Port-in"),
    PendingMessagingConfigAdd: mark("act", "warn", "Needs a config"),
    PendingTcrCampaignAdd: mark("pending", "accent", "Joining campaign"),
    PendingTcrCampaignChange: mark("pending", "accent", "Changing campaign"),
    Active: mark("active", "ok", "Active"),
    Removed: mark("removed", "neutral", "Removed"),
  },
  delivery: {
    Pending: mark("queued", "neutral", "Pending"),
    Retrying: mark("retry", "warn", "Retrying"),
    Delivered: mark("delivered", "ok", "Delivered"),
    Failed: mark("failed", "bad", "Given up"),
    Canceled: mark("canceled", "neutral", "Canceled"),
  },
  portOrder: {
    Submitted: mark("queued", "neutral", "Submitted"),
    Exception: mark("act", "warn", "Exception"),
    FocConfirmed: mark("pending", "accent", "Date agreed"),
    Activating: mark("pending", "accent", "Activating"),
    Completed: mark("done", "neutral", "Completed"),
    PartiallyCompleted: mark("partial", "warn", "Partly completed"),
    Failed: mark("failed", "bad", "Failed"),
    Cancelled: mark("canceled", "neutral", "Cancelled"),
  },
  link: {
    bound: mark("active", "ok", "Bound"),
    up: mark("active", "ok", "Up"),
    connecting: mark("pending", "accent", "Connecting"),
    throttled: mark("retry", "warn", "Throttled"),
    down: mark("failed", "bad", "Down"),
    stopped: mark("off", "neutral", "Stopped"),
    closed: mark("off", "neutral", "Closed"),
    unknown: mark("unknown", "warn", "Not reported"),
  },
  node: {
    Starting: mark("pending", "accent", "Starting"),
    Ready: mark("active", "ok", "Ready"),
    Draining: mark("retry", "warn", "Draining"),
    Silent: mark("failed", "bad", "Silent"),
  },
  migration: {
    Planned: mark("queued", "neutral", "Planned"),
    UnderWay: mark("pending", "accent", "Under way"),
    Blocked: mark("act", "warn", "Blocked"),
    Completed: mark("done", "neutral", "Completed"),
    PartiallyCompleted: mark("partial", "warn", "Partly completed"),
  },
  campaign: {
    Active: mark("active", "ok", "Active"),
    Suspended: mark("act", "warn", "Suspended"),
    Expired: mark("expired", "bad", "Expired"),
  },
  account: {
    Active: mark("active", "ok", "Active"),
    Suspended: mark("act", "warn", "Suspended"),
  },
  featureRequest: {
    Open: mark("act", "warn", "Open"),
    Granted: mark("done", "neutral", "Granted"),
    Declined: mark("canceled", "neutral", "Declined"),
  },
} satisfies Record<string, Record<string, Mark>>;

export type StatusKind = keyof typeof MARKS;

/** The shape, colour and word of a status. A status that is not in the table is shown by its API name. */
export function markOf(kind: StatusKind, value: string): Mark {
  const marks: Record<string, Mark> = MARKS[kind];
  const known = Object.hasOwn(marks, value) ? marks[value] : undefined;
  if (known) return known;
  return kind === "call" ? mark("failed", "bad", value) : mark("off", "neutral", value);
}

export interface StatusProps {
  readonly kind: StatusKind;
  readonly value: string;
  /** Instead of the usual word, such as "Try 4 in 3:12". */
  readonly word?: string | undefined;
}

export function Status({ kind, value, word }: StatusProps) {
  const { shape, tone, word: usual } = markOf(kind, value);
  return <Mark shape={shape} tone={tone} word={word ?? usual} />;
}

/** A mark for something that is no status of the API: "Answered in 84 ms". */
export function Mark({ shape, tone, word }: { readonly shape: ShapeName; readonly tone: Tone; readonly word: string }) {
  return (
    <span className={`status status-${tone}`}>
      <Shape name={shape} tone={tone} />
      <span>{word}</span>
    </span>
  );
}

/** Why a message did not arrive, in three words, by its error code. */
const FAILURES: Record<number, string> = {
  1003: "Phone unreachable",
  1004: "Takes no texts",
  2006: "Media not sent",
  3002: "Blocked as spam",
  3003: "Carrier rejected it",
  3004: "Carrier could not deliver",
  3006: "Not handed over",
  3011: "Carrier's network failed",
};

export function failureWord(errorCode: number): string | undefined {
  return FAILURES[errorCode];
}

/** The status of a message, with one special case: its outcome is unknown. */
export function messageStatus(message: { readonly status: string; readonly errorCode: number }): string {
  return message.status === "Failed" && message.errorCode === 3100 ? "Unknown" : message.status;
}
