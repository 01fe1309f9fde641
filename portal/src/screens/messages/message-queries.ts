// The queries of the messages screen.

import type { InboundMessage, OutboundMessage } from "@tandem/sdk";
import { keepPreviousData, queryOptions, useQueries } from "@tanstack/react-query";
import { client } from "../../api/client.ts";
import { RECEIVED, SENT } from "../../api/freshness.ts";
import { dataQuery, itemsQuery } from "../../api/queries.ts";
import { partsOf } from "../../components/step-words.ts";

/** A text in either direction, as a conversation shows it. */
export interface Text {
  readonly sid: string;
  readonly isOut: boolean;
  /** Our number and theirs. */
  readonly ours: string;
  readonly theirs: string;
  readonly text: string;
  readonly mediaUrls: readonly string[];
  readonly at: string;
  /** Undefined for a received text. */
  readonly sent: OutboundMessage | undefined;
}

export interface Conversation {
  readonly theirs: string;
  readonly last: Text;
}

const RECENT = 200;

const outgoing = (message: OutboundMessage): Text => {
  const { sid, from: ours, to: theirs, text, mediaUrls, createdOn: at } = message;
  return { sid, isOut: true, ours, theirs, text, mediaUrls, at, sent: message };
};

const incoming = ({ sid, from: theirs, to: ours, text, mediaUrls, createdOn: at }: InboundMessage): Text => ({
  sid,
  isOut: false,
  ours,
  theirs,
  text,
  mediaUrls,
  at,
  sent: undefined,
});

const byTime = (one: Text, other: Text) => one.at.localeCompare(other.at) || one.sid.localeCompare(other.sid);

const sentQuery = itemsQuery([...SENT, "recent"], (options) => client.messages.list({ pageSize: RECENT, ...options }));
const receivedQuery = itemsQuery([...RECEIVED, "recent"], (options) =>
  client.messages.inbound.list({ pageSize: RECENT, ...options }),
);

/** The recent conversations, the latest first. */
export function useConversations() {
  return useQueries({
    queries: [sentQuery, receivedQuery],
    combine: ([sent, received]) => ({
      data: sent.data && received.data && conversationsOf(sent.data, received.data),
      error: sent.error ?? received.error,
      refetch: () => Promise.all([sent.refetch(), received.refetch()]),
    }),
  });
}

function conversationsOf(
  sent: readonly OutboundMessage[],
  received: readonly InboundMessage[],
): readonly Conversation[] {
  const texts = [...sent.map(outgoing), ...received.map(incoming)].sort(byTime);
  const latest = new Map(texts.map((last) => [last.theirs, last]));
  return [...latest.values()]
    .sort(byTime)
    .reverse()
    .map((last) => ({ theirs: last.theirs, last }));
}

export interface Thread {
  /** The oldest first. */
  readonly texts: readonly Text[];
  readonly hasOlder: boolean;
}

export const threadQuery = (theirs: string, pageSize: number) =>
  queryOptions({
    queryKey: ["messages", "thread", theirs, pageSize],
    queryFn: async ({ signal }): Promise<Thread> => {
      const [sent, received] = await Promise.all([
        client.messages.list({ to: theirs, pageSize, signal }),
        client.messages.inbound.list({ from: theirs, pageSize, signal }),
      ]);
      return {
        texts: [...sent.data.items.map(outgoing), ...received.data.items.map(incoming)].sort(byTime),
        hasOlder: sent.data.searchId !== undefined || received.data.searchId !== undefined,
      };
    },
    placeholderData: (before, query) => (query?.queryKey[2] === theirs ? keepPreviousData(before) : undefined),
  });

/** The message with this sid, to find its conversation. */
export const textQuery = (sid: string) =>
  queryOptions({
    queryKey: ["messages", "one", sid],
    queryFn: async ({ signal }): Promise<Text> => {
      if (sid.startsWith("IM")) return incoming((await client.messages.inbound.get(sid, { signal })).data);
      return outgoing((await client.messages.get(sid, { signal })).data);
    },
  });

const TOLD_EVERY_MS = 3000;

/** Asked for again while a webhook waits: no event of the stream tells of its attempts. */
export const whyQuery = (sid: string) =>
  queryOptions({
    ...dataQuery(["messages", "why", sid], (options) => client.messages.why(sid, options)),
    refetchInterval: ({ state: { data } }) =>
      data && partsOf(data.steps).deliveries.some(({ status }) => status === "Pending") ? TOLD_EVERY_MS : false,
  });

/** The webhook deliveries of a received text. */
export const deliveriesQuery = (sid: string) =>
  itemsQuery(["messages", "deliveries", sid], (options) =>
    client.deliveries.list({ resourceSid: sid, pageSize: 20, ...options }),
  );

const HOUR_MS = 3_600_000;

/** The type of a number and its carrier. */
export const partyQuery = (number: string) => ({
  ...dataQuery(["lookup", number], (options) => client.lookup.number(number, options)),
  staleTime: HOUR_MS,
  retry: false,
});
