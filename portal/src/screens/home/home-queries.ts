// The queries of Home.

import { queryOptions } from "@tanstack/react-query";
import { client } from "../../api/client.ts";

export const phonesQuery = queryOptions({
  queryKey: ["phones", "all"],
  queryFn: async ({ signal }) => (await client.phones.list({ pageSize: 200, signal })).data.items,
});

/** The texts of the newest messages, by sid. Status events do not contain them. */
export const recentTextsQuery = queryOptions({
  queryKey: ["messages", "recent-texts"],
  queryFn: async ({ signal }) => {
    const { data } = await client.messages.list({ pageSize: 50, signal });
    return new Map(data.items.map(({ sid, text }) => [sid, text]));
  },
});

/** The campaigns that the numbers send under; two are enough to know that there are several. */
export const campaignsQuery = queryOptions({
  queryKey: ["campaigns", "home"],
  queryFn: async ({ signal }) => (await client.campaigns.list({ pageSize: 2, signal })).data.items,
});

export const trafficQuery = queryOptions({
  queryKey: ["traffic"],
  queryFn: async ({ signal }) => (await client.oversight.traffic({ minutes: 60, signal })).data.items,
  refetchInterval: 30_000,
});

export const recentCallsQuery = queryOptions({
  queryKey: ["calls", "recent"],
  queryFn: async ({ signal }) => (await client.calls.list({ pageSize: 50, signal })).data.items,
});

export interface Steps {
  readonly hasSent: boolean;
  readonly hasReceived: boolean;
  readonly hasSubscribed: boolean;
  readonly hasFailed: boolean;
  readonly hasCalled: boolean;
}

/** Which of the first steps are done. Each is one request for one row. */
export const stepsQuery = queryOptions({
  queryKey: ["messages", "first-steps"],
  queryFn: async ({ signal }): Promise<Steps> => {
    const one = { pageSize: 1, signal };
    const [sent, received, webhooks, failed, calls] = await Promise.all([
      client.messages.list(one),
      client.messages.inbound.list(one),
      client.webhooks.list(one),
      client.messages.list({ ...one, status: "Failed" }),
      client.calls.list(one),
    ]);
    const hasAny = ({ data }: { readonly data: { readonly items: readonly unknown[] } }) => data.items.length > 0;
    return {
      hasSent: hasAny(sent),
      hasReceived: hasAny(received),
      hasSubscribed: hasAny(webhooks),
      hasFailed: hasAny(failed),
      hasCalled: hasAny(calls),
    };
  },
});

/** The state of the service itself: GET /readyz, with its response time. */
export interface Readiness {
  readonly ms: number;
  readonly isReady: boolean;
  readonly store: string;
  readonly links: Readonly<Record<string, string>>;
  readonly trunks: Readonly<Record<string, string>>;
  readonly calls: number;
}

type Told = Partial<Omit<Readiness, "ms" | "isReady" | "store">> & { readonly checks?: { readonly store?: string } };

export const readinessQuery = queryOptions({
  queryKey: ["readiness"],
  queryFn: async ({ signal }): Promise<Readiness> => {
    const begun = performance.now();
    const response = await fetch("/readyz", { signal });
    const told = (await response.json()) as Told;
    return {
      ms: Math.round(performance.now() - begun),
      isReady: response.ok,
      store: told.checks?.store ?? "unknown",
      links: told.links ?? {},
      trunks: told.trunks ?? {},
      calls: told.calls ?? 0,
    };
  },
  refetchInterval: 10_000,
});
