// Every step of the schema, in the order in which it is applied. The file of a noun creates its tables as they were
// first released; a later change is a step of its own in a new file, and released steps are never edited.

import { accountCountrySchema } from "./account-country.ts";
import { accountsSchema } from "./accounts.ts";
import { announcementsSchema } from "./announcements.ts";
import type { SchemaStep } from "./apply-schema.ts";
import { attemptExchangesSchema } from "./attempt-exchanges.ts";
import { attentionSchema } from "./attention.ts";
import { callbacksSchema } from "./callbacks.ts";
import { campaignIdsSchema } from "./campaign-ids.ts";
import { campaignSourceSchema } from "./campaign-source.ts";
import { campaignTimesSchema } from "./campaign-times.ts";
import { campaignsSchema } from "./campaigns.ts";
import { configKeywordsSchema } from "./config-keywords.ts";
import { defaultPartitionsSchema } from "./default-partitions.ts";
import { deferredMessagesSchema } from "./deferred-messages.ts";
import { dueOrderSchema } from "./due-order.ts";
import { eventPositionsSchema } from "./event-positions.ts";
import { firstTriedSchema } from "./first-tried.ts";
import { forwardingChainsSchema } from "./forwarding-chains.ts";
import { groupMembersSchema } from "./group-members.ts";
import { keyPressSchema } from "./key-press.ts";
import { lateReceiptsSchema } from "./late-receipts.ts";
import { linkFiguresSchema } from "./link-figures.ts";
import { lookupSchema } from "./lookup.ts";
import { messagingSchema } from "./messaging.ts";
import { numbersSchema } from "./numbers.ts";
import { operatorRolesSchema } from "./operator-roles.ts";
import { portedAnswersSchema } from "./ported-answers.ts";
import { portingSchema } from "./porting.ts";
import { rateLeasesSchema } from "./rate-leases.ts";
import { recordingFilesSchema } from "./recording-files.ts";
import { recordingsSchema } from "./recordings.ts";
import { refusedRequestsSchema } from "./refused-requests.ts";
import { replacedSecretsSchema } from "./replaced-secrets.ts";
import { requestIdsSchema } from "./request-ids.ts";
import { requestOwnersSchema } from "./request-owners.ts";
import { retiredKeysSchema } from "./retired-keys.ts";
import { secretKeySchema } from "./secret-key.ts";
import { sessionsSchema } from "./sessions.ts";
import { shortCodesSchema } from "./short-codes.ts";
import { statementDeadlineSchema } from "./statement-deadline.ts";
import { stoppedLinksSchema } from "./stopped-links.ts";
import { subscriptionTypesSchema } from "./subscription-types.ts";
import { suspensionReasonSchema } from "./suspension-reason.ts";
import { takenOverCallsSchema } from "./taken-over-calls.ts";
import { takenSwitchesSchema } from "./taken-switches.ts";
import { tokenRightsSchema } from "./token-rights.ts";
import { toldLinksSchema } from "./told-links.ts";
import { voiceSchema } from "./voice.ts";
import { webhookMethodsSchema } from "./webhook-methods.ts";
import { webhooksSchema } from "./webhooks.ts";

export const SCHEMA: readonly SchemaStep[] = [
  accountsSchema,
  campaignsSchema,
  numbersSchema,
  lookupSchema,
  messagingSchema,
  portingSchema,
  webhooksSchema,
  replacedSecretsSchema,
  subscriptionTypesSchema,
  lateReceiptsSchema,
  deferredMessagesSchema,
  secretKeySchema,
  campaignIdsSchema,
  groupMembersSchema,
  configKeywordsSchema,
  operatorRolesSchema,
  campaignSourceSchema,
  stoppedLinksSchema,
  defaultPartitionsSchema,
  refusedRequestsSchema,
  statementDeadlineSchema,
  suspensionReasonSchema,
  shortCodesSchema,
  voiceSchema,
  keyPressSchema,
  toldLinksSchema,
  recordingsSchema,
  recordingFilesSchema,
  sessionsSchema,
  eventPositionsSchema,
  announcementsSchema,
  attemptExchangesSchema,
  linkFiguresSchema,
  attentionSchema,
  portedAnswersSchema,
  requestIdsSchema,
  rateLeasesSchema,
  requestOwnersSchema,
  dueOrderSchema,
  firstTriedSchema,
  takenOverCallsSchema,
  takenSwitchesSchema,
  campaignTimesSchema,
  forwardingChainsSchema,
  retiredKeysSchema,
  webhookMethodsSchema,
  callbacksSchema,
  tokenRightsSchema,
  accountCountrySchema,
];
