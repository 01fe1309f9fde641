// Reads what scripts say about a conference.

import { ok, type Result, refused } from "../../base/result.ts";
import { tableOf } from "../../base/table.ts";
import {
  CONFERENCE_NAME_MAX,
  type ConferenceCallback,
  type ConferenceEventName,
  type ConferenceOrder,
  PARTICIPANTS_MAX,
} from "./conference.ts";

/** What attributes have said about it. */
export interface ConferenceWishes {
  readonly muted?: boolean;
  readonly beeps?: ConferenceOrder["beeps"];
  readonly startsOnEnter?: boolean;
  readonly endsOnExit?: boolean;
  readonly participantsMax?: number;
  readonly waitUrl?: string;
  readonly label?: string;
  readonly callbackUrl?: string;
  readonly events?: readonly ConferenceEventName[];
  readonly isRecorded?: boolean;
  readonly recordingCallbackUrl?: string;
}

/** What a script calls them. */
const EVENTS = tableOf<readonly ConferenceEventName[]>({
  start: ["Started"],
  end: ["Ended"],
  join: ["ParticipantJoined"],
  leave: ["ParticipantLeft"],
  mute: ["ParticipantMuted", "ParticipantUnmuted"],
  hold: ["ParticipantHeld", "ParticipantUnheld"],
});
const USUAL_EVENTS: readonly ConferenceEventName[] = ["Started", "Ended"];

const BEEPS = tableOf<ConferenceOrder["beeps"]>({
  true: { enter: true, exit: true },
  false: { enter: false, exit: false },
  onEnter: { enter: true, exit: false },
  onExit: { enter: false, exit: true },
});

interface Wished {
  conference?: ConferenceWishes;
}

function flag(name: "muted" | "startsOnEnter" | "endsOnExit" | "isRecorded") {
  return (wishes: Wished, value: string): string | undefined => {
    if (!/^(?:true|false)$/i.test(value)) return "true and false are allowed";
    wishes.conference = { ...wishes.conference, [name]: value.toLowerCase() === "true" };
    return undefined;
  };
}

export const CONFERENCE_ATTRIBUTES = {
  muted: flag("muted"),
  startConferenceOnEnter: flag("startsOnEnter"),
  endConferenceOnExit: flag("endsOnExit"),
  recordConference: flag("isRecorded"),
  conferenceRecordingCallback(wishes: Wished, value: string): string | undefined {
    const recordingCallbackUrl = value.trim();
    if (recordingCallbackUrl === "") return "a URL is allowed";
    wishes.conference = { ...wishes.conference, recordingCallbackUrl };
    return undefined;
  },
  beep(wishes: Wished, value: string): string | undefined {
    const beeps = BEEPS.get(value);
    if (!beeps) return `${[...BEEPS.keys()].join(", ")} are allowed`;
    wishes.conference = { ...wishes.conference, beeps };
    return undefined;
  },
  maxParticipants(wishes: Wished, value: string): string | undefined {
    const participantsMax = /^\d{1,4}$/.test(value) ? Number(value) : 0;
    if (participantsMax < 2 || participantsMax > PARTICIPANTS_MAX) return `2 to ${PARTICIPANTS_MAX} are allowed`;
    wishes.conference = { ...wishes.conference, participantsMax };
    return undefined;
  },
  /** Empty: silence. */
  waitUrl(wishes: Wished, value: string): string | undefined {
    wishes.conference = { ...wishes.conference, waitUrl: value.trim() };
    return undefined;
  },
  participantLabel(wishes: Wished, value: string): string | undefined {
    const label = value.trim();
    if (label === "" || label.length > CONFERENCE_NAME_MAX) return `1 to ${CONFERENCE_NAME_MAX} characters are allowed`;
    wishes.conference = { ...wishes.conference, label };
    return undefined;
  },
  statusCallback(wishes: Wished, value: string): string | undefined {
    const callbackUrl = value.trim();
    if (callbackUrl === "") return "a URL is allowed";
    wishes.conference = { ...wishes.conference, callbackUrl };
    return undefined;
  },
  statusCallbackEvent(wishes: Wished, value: string): string | undefined {
    const words = value.trim().split(/\s+/);
    const known = words.every((word) => EVENTS.has(word));
    if (!known) return `${[...EVENTS.keys()].join(", ")} are allowed, with blanks between them`;
    wishes.conference = { ...wishes.conference, events: words.flatMap((word) => EVENTS.get(word) ?? []) };
    return undefined;
  },
} as const;

export function conferenceOrder(
  text: string,
  wishes: ConferenceWishes = {},
  readUrl: (text: string) => Result<string, string>,
): Result<ConferenceOrder, string> {
  const name = text.trim();
  if (name === "" || name.length > CONFERENCE_NAME_MAX) {
    return refused(`Conference holds the name of the conference: 1 to ${CONFERENCE_NAME_MAX} characters.`);
  }
  const { waitUrl: asked, muted = false, beeps = { enter: true, exit: true }, label = null } = wishes;
  const { startsOnEnter = true, endsOnExit = false, participantsMax = PARTICIPANTS_MAX } = wishes;
  const callback = callbackOf(wishes, readUrl);
  if (!callback.ok) return callback;
  const recording = recordingOf(wishes, readUrl);
  if (!recording.ok) return recording;
  const order = {
    ...callback.value,
    ...recording.value,
    name,
    label,
    muted,
    beeps,
    startsOnEnter,
    endsOnExit,
    participantsMax,
  };
  if (asked === undefined) return ok(order);
  if (asked === "") return ok({ ...order, waitUrl: null });
  const waitUrl = readUrl(asked);
  return waitUrl.ok ? ok({ ...order, waitUrl: waitUrl.value }) : waitUrl;
}

function callbackOf(
  { callbackUrl, events }: ConferenceWishes,
  readUrl: (text: string) => Result<string, string>,
): Result<{ readonly callback?: Omit<ConferenceCallback, "shape"> }, string> {
  if (callbackUrl === undefined) {
    return events ? refused("Conference has a statusCallbackEvent, and no statusCallback.") : ok({});
  }
  const url = readUrl(callbackUrl);
  return url.ok ? ok({ callback: { url: url.value, events: events ?? USUAL_EVENTS } }) : url;
}

function recordingOf(
  { isRecorded = false, recordingCallbackUrl }: ConferenceWishes,
  readUrl: (text: string) => Result<string, string>,
): Result<Pick<ConferenceOrder, "recording">, string> {
  if (recordingCallbackUrl === undefined) return ok(isRecorded ? { recording: {} } : {});
  if (!isRecorded) return refused("Conference has a recordingStatusCallback, and is not recorded.");
  const url = readUrl(recordingCallbackUrl);
  return url.ok ? ok({ recording: { callbackUrl: url.value } }) : url;
}
