// Who changed what in an account, for the account and for operators.

import { z } from "zod";
import { members } from "../../../../base/plain-command.ts";
import type { Change } from "../../../../domain/changes.ts";
import { SINCE_UNTIL } from "../../core/command-parts.ts";
import { accountOperation, tagged } from "../../core/operation.ts";
import { answerPage } from "../../core/outcomes.ts";
import { dateOf, listOf, listQuery, pageRequestOf, text, timestamp } from "../../core/schemas.ts";

const changeSchema = z
  .strictObject({
    createdOn: timestamp,
    by: z.enum(["Token", "Person"]).describe("A program by its token, or a person who had signed in on a page."),
    token: z.int().nullable().describe("The place of the token, also of the one by which the person signed in."),
    operation: z.string().describe("The operation's id, such as `deleteWebhook`."),
    resource: z.string().nullable().describe("What it made, changed or deleted."),
    requestId: z.string(),
  })
  .meta({ id: "ChangeEntry" });

const moment = z.iso.datetime({ offset: true }).optional();

const show = ({ accountSid: _, isPerson, createdOn, ...rest }: Change) => ({
  createdOn,
  by: isPerson ? "Person" : "Token",
  ...rest,
});

export const changeOperations = tagged("Account", [
  accountOperation({
    id: "listChanges",
    sdk: "changes.list",
    command: {
      name: "changes list",
      about: "List who changed what in the account, the newest first.",
      options: {
        "--operation <id>": ["Operation", "by this operation, such as deleteWebhook"],
        "--resource <id>": ["Resource", "of this sid, number or campaign"],
        ...SINCE_UNTIL,
      },
      isLimited: true,
      shows: [{ table: members("At = createdOn, by, token, operation, resource, requestId") }],
    },
    summary: "Who changed what",
    description:
      "Of the last 90 days: what tokens and people of the account made, changed and deleted. Not what was sent and called: messages and calls have lists of their own.",
    route: "GET /Changes",
    isSeenByOperators: true,
    query: listQuery({
      Operation: text(64).optional(),
      Resource: text(64).optional(),
      CreatedOnFrom: moment,
      CreatedOnTo: moment,
    }),
    answers: { 200: { description: "A page of changes.", body: listOf("ChangeEntryList", changeSchema) } },
    async handle({ account, query }, unit) {
      const filters = {
        operation: query.Operation,
        resource: query.Resource,
        from: dateOf(query.CreatedOnFrom),
        to: dateOf(query.CreatedOnTo),
      };
      return answerPage(await unit.changes.list(account.sid, pageRequestOf(query), filters), show);
    },
  }),
]);
