// The queries of the call screens, and the facts of a call that several of them show.

import type { Call, CallTrail } from "@tandem/sdk";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { client } from "../../api/client.ts";
import { tableOf } from "../../components/lookup-table.ts";
import { partsOf } from "../../components/step-words.ts";
import { programOf } from "./program-rows.ts";

export const callQuery = (sid: string) =>
  queryOptions({
    queryKey: ["calls", "one", sid],
    queryFn: async ({ signal }) => (await client.calls.get(sid, { signal })).data,
  });

const SETTLING_MS = 5000;
const SETTLING_EVERY_MS = 1500;
const TOLD_EVERY_MS = 3000;
/** Most steps of a program are no events of the call. */
const RUNNING_EVERY_MS = 1500;

/** Changes whenever something happens to the call: its details are refetched only then. */
function stampOf({ status, legs, recordings }: Call): string {
  return [status, ...legs.map((leg) => leg.status), recordings?.status].join();
}

/** The last messages of a call arrive a moment after its end. */
function isSettling({ completedOn }: Call): boolean {
  return completedOn !== null && Date.now() - Date.parse(completedOn) < SETTLING_MS;
}

/** Messages are stored a moment after they were sent. */
const settling = (call: Call) => () => (isLive(call) || isSettling(call) ? SETTLING_EVERY_MS : false);

export const whyQuery = (call: Call) =>
  queryOptions({
    queryKey: ["call", "why", call.sid, stampOf(call)],
    queryFn: async ({ signal }) => (await client.calls.why(call.sid, { signal })).data,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => {
      if (isLive(call) && data && programOf(data).length > 0) return RUNNING_EVERY_MS;
      const isTelling = data && deliveriesOf(data).some(({ status }) => status === "Pending");
      return isSettling(call) || isTelling ? TOLD_EVERY_MS : false;
    },
  });

export const sipQuery = (call: Call) =>
  queryOptions({
    queryKey: ["call", "sip", call.sid, stampOf(call)],
    queryFn: async ({ signal }) => (await client.calls.sipMessages(call.sid, { signal })).data.items,
    placeholderData: keepPreviousData,
    refetchInterval: settling(call),
  });

/** The webhook deliveries of the call, which its trail contains. */
const deliveriesOf = ({ steps }: CallTrail) => partsOf(steps).deliveries;

export const toldQuery = (call: Call) => ({ ...whyQuery(call), select: deliveriesOf });

export const isLive = ({ status }: Call): boolean => status !== "Completed";

/** The word for a call's status: how it ended, once it has. */
export const outcomeOf = ({ status, endReason }: Call): string => (status === "Completed" && endReason) || status;

const ENDERS = tableOf({
  First: "hung up by the first leg",
  Second: "hung up by the second leg",
  Api: "hung up by the API",
  Service: "ended by Tandem",
});

/** "hung up by the second leg"; undefined if no party hung up after talking. */
export function enderOf({ endedBy, answeredOn }: Call): string | undefined {
  return endedBy === null || answeredOn === null ? undefined : ENDERS.get(endedBy);
}

/** How long the parties have talked so far, in seconds. */
export function talkedSeconds({ answeredOn, durationSeconds }: Call, now: Date): number | undefined {
  if (durationSeconds !== null) return answeredOn === null ? undefined : durationSeconds;
  return answeredOn === null ? undefined : Math.max(0, (now.getTime() - Date.parse(answeredOn)) / 1000);
}
