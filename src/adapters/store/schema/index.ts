// Every step of the schema, in the order in which it is applied. A change is a new step: a file with the next number
// here, appended to the list. Steps are never edited or squashed; schema.sql shows what all of them together make.

import { firstSchema } from "./0001-schema/index.ts";
import { sending } from "./0002-sending.ts";
import { segmentsByAccount } from "./0003-segments-by-account.ts";
import { deliveryBatches } from "./0004-delivery-batches.ts";
import { messagesByWeek } from "./0005-messages-by-week.ts";
import { eventBatches } from "./0006-event-batches.ts";
import { activeCallsByProcess } from "./0007-active-calls-by-process.ts";
import { eventsByType } from "./0008-events-by-type.ts";
import { leaseHolders } from "./0009-lease-holders.ts";
import { callPrograms } from "./0010-call-programs.ts";
import { callRedirections } from "./0011-call-redirections.ts";
import { search } from "./0012-search.ts";
import { tokenUse } from "./0013-token-use.ts";
import { accountChanges } from "./0014-account-changes.ts";
import { nodes } from "./0015-nodes.ts";
import { additiveSteps } from "./0016-additive-steps.ts";
import { forwardingCaller } from "./0017-forwarding-caller.ts";
import { programRecordings } from "./0018-program-recordings.ts";
import { forwardingOthers } from "./0019-forwarding-others.ts";
import { statistics } from "./0020-statistics.ts";
import { retention } from "./0021-retention.ts";
import { savedViews } from "./0022-saved-views.ts";
import { supportLinks } from "./0023-support-links.ts";
import { conferences } from "./0024-conferences.ts";
import { textBlocks } from "./0025-text-blocks.ts";
import { partyHangups } from "./0026-party-hangups.ts";
import { storedMedia } from "./0027-stored-media.ts";
import { watchedLive } from "./0028-watched-live.ts";
import { registrations } from "./0029-registrations.ts";
import { trunksOfNodes } from "./0030-trunks-of-nodes.ts";
import { orderedMediaReleases } from "./0031-ordered-media-releases.ts";
import { conferenceRecordings } from "./0032-conference-recordings.ts";
import { conferenceTickets } from "./0033-conference-tickets.ts";
import type { SchemaStep } from "./schema-step.ts";

export const SCHEMA: readonly SchemaStep[] = [
  firstSchema,
  sending,
  segmentsByAccount,
  deliveryBatches,
  messagesByWeek,
  eventBatches,
  activeCallsByProcess,
  eventsByType,
  leaseHolders,
  callPrograms,
  callRedirections,
  search,
  tokenUse,
  accountChanges,
  nodes,
  additiveSteps,
  forwardingCaller,
  programRecordings,
  forwardingOthers,
  statistics,
  retention,
  savedViews,
  supportLinks,
  conferences,
  textBlocks,
  partyHangups,
  storedMedia,
  watchedLive,
  registrations,
  trunksOfNodes,
  orderedMediaReleases,
  conferenceRecordings,
  conferenceTickets,
];
