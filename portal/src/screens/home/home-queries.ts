// The queries of Home.

import type { Answer, ListAnswer } from "@tandem/sdk";
import { queryOptions } from "@tanstack/react-query";
import { client } from "../../api/client.ts";
import { itemsQuery, queries } from "../../api/queries.ts";
import { homeCalls } from "./running-calls.ts";

/** The texts of the newest messages, by sid. Status events do not contain them. */
export const recentTextsQuery = queryOptions({
  queryKey: ["messages", "recent-texts"],
  queryFn: async ({ signal }) => {
    const { data } = await client.messages.list({ pageSize: 50, signal });
    return new Map(data.items.map(({ sid, text }) => [sid, text]));
  },
});

/** The campaigns that the numbers send under; two are enough to know that there are several. */
export const campaignsQuery = itemsQuery(["campaigns", "home"], (options) =>
  client.campaigns.list({ pageSize: 2, ...options }),
);

export const trafficQuery = {
  ...itemsQuery(["traffic"], (options) => client.oversight.traffic({ minutes: 60, ...options })),
  refetchInterval: 30_000,
};

export const callsQuery = queryOptions({
  queryKey: ["calls", "home"],
  queryFn: ({ signal }) =>
    homeCalls({
      newest: async () => (await client.calls.list({ pageSize: 50, signal })).data,
      withStatus: (status) => client.calls.list({ pageSize: 1000, status, signal }),
    }),
});

export interface Steps {
  readonly hasSent: boolean;
  readonly hasReceived: boolean;
  readonly hasSubscribed: boolean;
  readonly hasFailed: boolean;
  readonly hasCalled: boolean;
}

const STEPS = ["messages", "first-steps"];

/** Which of the first steps are done. Each is one request for one row. */
export const stepsQuery = queryOptions({
  queryKey: STEPS,
  queryFn: async ({ signal }): Promise<Steps> => {
    const one = { pageSize: 1, signal };
    const before = queries.getQueryData<Steps>(STEPS);
    // A step that was done stays done: it is not asked for again.
    const isDone = async (known: boolean | undefined, list: () => Promise<Answer<ListAnswer<unknown>>>) =>
      known || (await list()).data.items.length > 0;
    const [hasSent, hasReceived, hasSubscribed, hasFailed, hasCalled] = await Promise.all([
      isDone(before?.hasSent, () => client.messages.list(one)),
      isDone(before?.hasReceived, () => client.messages.inbound.list(one)),
      isDone(before?.hasSubscribed, () => client.webhooks.list(one)),
      isDone(before?.hasFailed, () => client.messages.list({ ...one, status: "Failed" })),
      isDone(before?.hasCalled, () => client.calls.list(one)),
    ]);
    return { hasSent, hasReceived, hasSubscribed, hasFailed, hasCalled };
  },
});

/** The state of the service itself: GET /readyz, with its response time. */
export interface Readiness {
  readonly ms: number;
  readonly isReady: boolean;
  readonly store: string;
  readonly links: Readonly<Record<string, string>>;
  readonly trunks: Readonly<Record<string, string>>;
}

type Report = Partial<Omit<Readiness, "ms" | "isReady" | "store">> & { readonly checks?: { readonly store?: string } };

export const readinessQuery = queryOptions({
  queryKey: ["readiness"],
  queryFn: async ({ signal }): Promise<Readiness> => {
    const begun = performance.now();
    const response = await fetch("/readyz", { signal });
    const report = (await response.json()) as Report;
    return {
      ms: Math.round(performance.now() - begun),
      isReady: response.ok,
      store: report.checks?.store ?? "unknown",
      links: report.links ?? {},
      trunks: report.trunks ?? {},
    };
  },
  refetchInterval: 10_000,
});
