// Recordings as the API and its events tell them.

export interface RecordedCall {
  readonly sid: string;
  readonly status: string;
  readonly recordings: {
    readonly sid: string;
    readonly status: string;
    readonly durationSeconds: number;
    readonly segments: readonly {
      readonly index: number;
      readonly durationSeconds: number | null;
      readonly sizeBytes: number | null;
      readonly sha256: string | null;
      readonly url: string | null;
    }[];
  };
}

export interface RecordingEvent {
  readonly CallSid: string;
  readonly RecordingSid: string;
  readonly DurationSeconds: number;
  readonly Segments: readonly {
    readonly Index: number;
    readonly DurationSeconds: number;
    readonly SizeBytes: number;
    readonly Sha256: string;
    readonly Url: string;
  }[];
}
