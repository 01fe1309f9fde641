// How long a conference has been in progress: it runs while the conference does.

import type { Conference } from "@tandem/sdk";
import { useNow } from "../../components/use-now.ts";
import { talkTime } from "../../components/zone.ts";
import { isLive, lengthSeconds } from "./conference-queries.ts";

interface LengthProps {
  readonly conference: Conference;
}

export function ConferenceLength({ conference }: LengthProps) {
  if (conference.startedOn === null) return null;
  return isLive(conference) ? <Running conference={conference} /> : shown(conference, new Date(0));
}

function Running({ conference }: LengthProps) {
  return shown(conference, useNow(1000));
}

function shown(conference: Conference, now: Date): string {
  return talkTime(lengthSeconds(conference, now) ?? 0);
}
