// Voice: the operations of calls and trunks, and in a worker the calls themselves (`calls.ts`).

import { hostname } from "node:os";
import type { Operation } from "../../adapters/http/core/operation.ts";
import { type CallRouteDeps, callOperations, spelledShort } from "../../adapters/http/routes/voice/calls.ts";
import { conferenceOperations } from "../../adapters/http/routes/voice/conferences.ts";
import { operatorRecordingOperations } from "../../adapters/http/routes/voice/operator-recordings.ts";
import { type OperatorTrunkDeps, operatorTrunkOperations } from "../../adapters/http/routes/voice/operator-trunks.ts";
import { type RecordingRouteDeps, recordingOperations } from "../../adapters/http/routes/voice/recordings.ts";
import { type Sounds, type TrunkView, until, untilCall } from "../../domain/voice/index.ts";
import { dialRules } from "../config/sip.ts";
import { type Api, type Context, type Part, servedApi } from "../running/part.ts";
import { type OpenCalls, openCalls } from "./calls.ts";
import type { RecordingsPart } from "./recordings.ts";
import type { WebhooksPart } from "./webhooks.ts";

type AccountDeps = CallRouteDeps & RecordingRouteDeps;

const callsOperations: readonly Operation<AccountDeps>[] = [...callOperations, ...recordingOperations];

export const voiceApi: Api<AccountDeps & OperatorTrunkDeps> = {
  account: [...callsOperations, ...conferenceOperations],
  operator: [...operatorTrunkOperations, ...operatorRecordingOperations],
};
const shortApi: Api<AccountDeps> = { account: spelledShort(callsOperations) };

export interface VoicePart extends Part {
  readonly routeDeps: AccountDeps;
  /** Where SIP is received, in the order of our source addresses; none where this process handles no calls. */
  readonly places: () => readonly { readonly address: string; readonly port: number }[];
  /** Setting → port in use; none where this process handles no calls. */
  readonly ports: () => Readonly<Record<string, number>>;
  /** The trunks as this process sees them. */
  readonly trunks: () => TrunkView;
  /** Our source addresses, where this process handles calls. */
  readonly sources: () => readonly { readonly address: string; readonly isUp: boolean }[];
  /** Sounds from URLs, where this process handles calls. */
  readonly sounds: () => Sounds | undefined;
  /** Calls in progress in this process. */
  readonly activeCalls: () => number;
}

export function openVoice(context: Context, webhooks: WebhooksPart, recordings: RecordingsPart): VoicePart {
  const { store, clock, ids, guard, outside, supportContact, checkUrl } = context;
  const { sip } = outside;
  let calls: OpenCalls | undefined;
  const trunks = () => ({
    host: hostname(),
    trunks: calls?.signalling.trunks().map(({ isStopped: _, ...trunk }) => trunk) ?? [],
  });
  /** A source address that could not be bound has no port. */
  const places = () =>
    (sip?.sourceAddresses ?? []).flatMap(({ address }, at) => {
      const port = calls?.signalling.ports[at] ?? 0;
      return port === 0 ? [] : [{ address, port }];
    });
  const deps: AccountDeps & OperatorTrunkDeps = {
    ...recordings.routeDeps,
    ids,
    trunks,
    configuredTrunks: sip?.trunks.map(({ name }) => ({ name })) ?? [],
    rules: dialRules(sip),
    supportContact,
    isOpen: sip !== undefined,
    mayConnect: guard.mayConnect,
    checkUrl,
    untilCall: (accountSid, sid, isSo) => untilCall({ calls: store.calls, clock }, accountSid, sid, isSo),
    until: (look, isSo) => until(clock, look, isSo),
    recordingUrl: recordings.urlOf,
  };
  return {
    name: "voice",
    routeDeps: deps,
    trunks,
    sources: () => calls?.signalling.sources ?? [],
    sounds: () => calls?.sounds,
    activeCalls: () => calls?.desk.activeCount ?? 0,
    places,
    ports: (): Readonly<Record<string, number>> => {
      const [place] = places();
      return place ? { TANDEM_SIP_PORT: place.port } : {};
    },
    operations: [...servedApi(voiceApi, deps), ...servedApi(shortApi, deps)],
    ...(sip && {
      work: async () => {
        calls = await openCalls(context, { sip, webhooks, recordings });
        return calls.part;
      },
    }),
  };
}
