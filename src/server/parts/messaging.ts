// Messaging: intake of messages, media and signed links to them, and in a worker the sending (`sending.ts`).

import { MediaClient } from "../../adapters/attachments/attachment-client.ts";
import type { Lookups } from "../../adapters/http/routes/lookup/lookup.ts";
import { type MediaRouteDeps, mountMediaRoute } from "../../adapters/http/routes/messaging/media-route.ts";
import { type MessageRouteDeps, messageOperations } from "../../adapters/http/routes/messaging/messages.ts";
import { type OperatorLinkDeps, operatorLinkOperations } from "../../adapters/http/routes/messaging/operator-links.ts";
import { optOutOperations } from "../../adapters/http/routes/numbers/opt-outs.ts";
import { Database, waitMs } from "../../adapters/store/engine/database.ts";
import { RecipientGuards } from "../../adapters/store/messaging/recipient-guard.ts";
import { senderDirectory } from "../../adapters/store/messaging/sender-directory.ts";
import { TextBlocks } from "../../adapters/store/messaging/text-blocks.ts";
import { ensureCallbacks } from "../../adapters/store/webhooks/callbacks.ts";
import { callingCodeOf, parseNumber } from "../../domain/lookup/index.ts";
import {
  type CarrierFinder,
  type LinkHealth,
  makePlacer,
  type RouteRule,
  type SendingStanding,
} from "../../domain/messaging/index.ts";
import { type Api, type Context, type Part, servedApi } from "../running/part.ts";
import { openMedia } from "./media.ts";
import { linksOf, Sending } from "./sending.ts";

export const messagingApi: Api<MessageRouteDeps & OperatorLinkDeps> = {
  messaging: messageOperations,
  account: optOutOperations,
  operator: operatorLinkOperations,
};

export interface MessagingPart extends Part {
  readonly routeDeps: MessageRouteDeps;
  /** The media of received messages. */
  readonly findMedia: MediaRouteDeps["find"];
  /** The links to carriers that this process has open. */
  readonly links: () => readonly LinkHealth[];
  readonly sendingState: () => SendingStanding;
  /** The messages that wait, in any process; undefined before they are counted. */
  readonly queue: () => QueueState | undefined;
}

interface QueueState {
  readonly due: number;
  readonly later: number;
  /** How long the oldest due message has waited. */
  readonly oldestMs: number;
  readonly top: readonly (readonly [account: string, count: number])[];
}

const CONNECTIONS = 6;
const COUNT_MS = 5_000;
const COLLECT_MS = 1_000;
const TOP_ACCOUNTS = 10;

export async function openMessaging(context: Context, lookups: Lookups): Promise<MessagingPart> {
  const { config, connection, store, box, clock, ids, log, limits, guard, checkUrl, supportContact } = context;
  const media = await openMedia(context);
  // The statements join a few keys with large tables by index; without statistics the planner would scan the tables.
  // One plan fits any number of keys, and planning again for a few keys costs more than the statement.
  const db = new Database(connection, log, {
    connectionsMax: CONNECTIONS,
    parameters: {
      enable_seqscan: "off",
      enable_hashjoin: "off",
      enable_mergejoin: "off",
      plan_cache_mode: "force_generic_plan",
    },
  });
  context.metrics.process.watchPool("messages", () => db.load);
  store.intake.placeBy(makePlacer(config.file.routes as readonly RouteRule[]));
  const recipientGuards = new RecipientGuards(limits, clock);
  const textBlocks = new TextBlocks({ db: store.db, now: () => clock.now(), statementMs: waitMs(connection) });
  let sending: Sending | undefined;
  const links = () => sending?.links ?? [];
  context.metrics.readLinksBy(links);
  const queue = () => queueOf(context);
  context.metrics.readQueueBy(queue);
  const routeDeps: MessageRouteDeps = {
    ids,
    checkUrl,
    senders: senderDirectory(db, { ...store, countryOf, callingCodeOf }),
    carriers: carrierFinder(lookups),
    recipientGuard: (limit) => recipientGuards.under(limit),
    readyCallbacks: (accountSid) => ensureCallbacks(store.db, box, accountSid, clock.now()),
    mediaUrl: media.urlOf,
  };
  const configuredLinks = linksOf(context.outside.carriers);
  return {
    name: "messaging",
    routeDeps,
    findMedia: media.find,
    links,
    queue,
    sendingState: () => sending?.standing ?? "elsewhere",
    operations: servedApi(messagingApi, { ...routeDeps, links, configuredLinks }),
    commonRoutes: (http) =>
      mountMediaRoute(http, {
        credentials: context.credentials,
        limits,
        supportContact,
        isGood: media.isGood,
        find: media.find,
        findAccount: (sid) => store.accounts.find(sid),
      }),
    tasks: [
      {
        name: "count waiting messages",
        everyMs: COUNT_MS,
        ignoresClock: true,
        run: () => store.intake.count(clock.now()),
      },
    ],
    workerTasks: [{ name: "collect words of texts", everyMs: COLLECT_MS, run: () => textBlocks.run() }, ...media.tasks],
    async work() {
      const mms = { media: new MediaClient({ guard }), files: media.keeper };
      sending = new Sending({ ...context, mediaUrl: media.urlOf, mms }, db);
      await sending.open();
      return sending;
    },
    close: () => db.close(),
  };
}

function queueOf({ store, clock }: Context): QueueState | undefined {
  const { depth } = store.intake;
  if (!depth) return undefined;
  const { due, later, oldestDueOn } = depth;
  const oldestMs = oldestDueOn ? Math.max(0, clock.now().getTime() - oldestDueOn.getTime()) : 0;
  return { due, later, oldestMs, top: store.intake.top(TOP_ACCOUNTS) };
}

export function carrierFinder(lookups: Lookups): CarrierFinder {
  return {
    async find(number) {
      const answer = await lookups.one(number);
      return answer.ok ? answer.value.info : { carrierName: null, type: "Unknown" };
    },
  };
}

export function countryOf(number: string): string | undefined {
  const read = parseNumber(number);
  return read.ok ? read.value.country : undefined;
}
