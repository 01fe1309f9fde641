// The connections to carriers, links for messages and trunks for calls, as rows of one list.

import type { CarrierLink, Trunk } from "@tandem/sdk";
import { queryOptions } from "@tanstack/react-query";
import { operator } from "../../api/client.ts";

type Measured = Pick<Trunk, "name" | "since" | "window" | "inFlight" | "perSecond" | "p95Ms" | "stoppedOn">;

export interface Way extends Measured {
  /** Unique, because a link and a trunk may have the same name. */
  readonly id: string;
  readonly isTrunk: boolean;
  readonly carrier: string;
  readonly carries: "texts" | "MMS" | "calls";
  readonly protocol: "SMPP" | "MM4" | "SIP";
  readonly state: string;
  readonly reason: string;
  /** The time of this report, if another process holds the connection. */
  readonly asOf: string | null;
}

function wayOfLink(link: CarrierLink): Way {
  const { name, kind, stoppedOn } = link;
  const [protocol, carries] = kind === "sms" ? (["SMPP", "texts"] as const) : (["MM4", "MMS"] as const);
  const state = stoppedOn === null ? link.state : "stopped";
  return { ...link, id: `link ${name}`, isTrunk: false, protocol, carries, state };
}

function wayOfTrunk(trunk: Trunk): Way {
  const { name, isUp, registration, stoppedOn } = trunk;
  const isRegistered = registration === null || registration.isUp;
  const state = stoppedOn !== null ? "stopped" : isUp && isRegistered ? "up" : "down";
  const reason = isRegistered ? trunk.reason : `not registered: ${registration.reason}`;
  const known = { isTrunk: true, carrier: name, protocol: "SIP", carries: "calls", asOf: null } as const;
  return { ...trunk, ...known, id: `trunk ${name}`, state, reason };
}

export const isWell = ({ state }: Way) => state === "bound" || state === "up";

const EVERY_MS = 5000;

export const waysQuery = queryOptions({
  queryKey: ["links"],
  queryFn: async ({ signal }): Promise<readonly Way[]> => {
    const [links, trunks] = await Promise.all([operator.links.list({ signal }), operator.trunks.list({ signal })]);
    return [...links.data.items.map(wayOfLink), ...trunks.data.items.map(wayOfTrunk)];
  },
  refetchInterval: EVERY_MS,
});
