// The shapes of a status by their names, and its tones. shape.tsx draws them.

export type ShapeName =
  | "queued"
  | "sent"
  | "pending"
  | "delivered"
  | "done"
  | "failed"
  | "expired"
  | "unknown"
  | "noAnswer"
  | "busy"
  | "partial"
  | "canceled"
  | "removed"
  | "active"
  | "paused"
  | "recording"
  | "ringing"
  | "act"
  | "retry"
  | "off";

/** `ok` and `accent` colour the shape alone; `warn` and `bad` also colour the word beside it. */
export type Tone = "ok" | "accent" | "neutral" | "warn" | "bad" | "recording";
