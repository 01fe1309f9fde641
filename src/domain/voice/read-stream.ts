// Reads what a script says about a stream: its URL, its name and the parameters that the program gets.

import { ok, type Result, refused } from "../../base/result.ts";
import { tableOf } from "../../base/table.ts";
import {
  type LinearRate,
  PARAMETER_CHARACTERS_MAX,
  PARAMETERS_MAX,
  STREAM_NAME_MAX,
  type StreamParameter,
  type StreamTracks,
} from "./stream.ts";

/** What attributes have said about a stream or a parameter. */
export interface StreamWishes {
  url?: string;
  name?: string;
  value?: string;
  tracks?: StreamTracks;
  callbackUrl?: string;
  isLinear?: boolean;
  linearRate?: LinearRate;
}

interface Wished {
  stream?: StreamWishes;
}

function text(field: "url" | "name" | "value" | "callbackUrl", charactersMax: number) {
  return (wishes: Wished, value: string): string | undefined => {
    if (value.length > charactersMax) return `${charactersMax} characters at most are allowed`;
    wishes.stream = { ...wishes.stream, [field]: value };
    return undefined;
  };
}

/** A longer URL is refused by the rules for what may be called. */
const URL_MAX = 4_096;

const TRACKS = tableOf<StreamTracks>({ inbound_track: "inbound", outbound_track: "outbound", both_tracks: "both" });

const RATES = tableOf<LinearRate>({ 8000: 8_000, 16000: 16_000 });

export const STREAM_ATTRIBUTES = {
  streamFormat(wishes: Wished, value: string): string | undefined {
    if (value !== "pcm16") return "pcm16 is allowed";
    wishes.stream = { ...wishes.stream, isLinear: true };
    return undefined;
  },
  streamRate(wishes: Wished, value: string): string | undefined {
    const linearRate = RATES.get(value);
    if (linearRate === undefined) return "8000 and 16000 are allowed";
    wishes.stream = { ...wishes.stream, linearRate };
    return undefined;
  },
  streamTrack(wishes: Wished, value: string): string | undefined {
    const tracks = TRACKS.get(value);
    if (!tracks) return "inbound_track, outbound_track and both_tracks are allowed";
    wishes.stream = { ...wishes.stream, tracks };
    return undefined;
  },
  streamUrl: text("url", URL_MAX),
  streamName: text("name", STREAM_NAME_MAX),
  streamCallback: text("callbackUrl", URL_MAX),
  parameterValue: text("value", PARAMETER_CHARACTERS_MAX),
};

/** `readUrl` judges it like the URL of a document. */
export function readStreamUrl(given: string, readUrl: (url: string) => Result<string, string>): Result<string, string> {
  const trimmed = given.trim();
  if (!/^wss?:\/\//i.test(trimmed))
    return refused("The url of Stream begins with wss:// (in a private network, ws://).");
  if (trimmed.includes("?")) return refused("The url of Stream has no query: give values by Parameter.");
  const read = readUrl(`http${trimmed.slice(2)}`);
  return read.ok ? ok(`ws${read.value.slice("http".length)}`) : read;
}

/** The rate of linear sound that is wanted; undefined: it is µ-law. */
export function linearRateOf(wishes: StreamWishes, tracks: StreamTracks): Result<LinearRate | undefined, string> {
  const { isLinear = false, linearRate } = wishes;
  if (!isLinear) return linearRate === undefined ? ok(undefined) : refused("The Rate of Stream is that of pcm16.");
  if (tracks === "both") return refused("A Stream of the format pcm16 has one track: its frames do not name theirs.");
  return ok(linearRate ?? 8_000);
}

export function whyNoParameters(parameters: readonly StreamParameter[]): string | undefined {
  if (parameters.length > PARAMETERS_MAX) return `Stream has ${PARAMETERS_MAX} parameters at most.`;
  const long = parameters.find(([name, value]) => name.length + value.length > PARAMETER_CHARACTERS_MAX);
  if (long) {
    return `The parameter ${long[0].slice(0, 40)} has more than ${PARAMETER_CHARACTERS_MAX} characters with its value.`;
  }
  const names = parameters.map(([name]) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  return twice === undefined ? undefined : `The parameter ${twice} is given twice.`;
}
