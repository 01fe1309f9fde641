// Links by which people of an account show support what they see. The link holds no data; opening it is entered in the
// audit log, and so is whatever is then read of the account.

import { z } from "zod";
import type { Ids } from "../../../../base/ids.ts";
import { ok, refused } from "../../../../base/result.ts";
import { linkForSupport } from "../../../../domain/accounts/index.ts";
import { problem } from "../../../../domain/problems.ts";
import { accountOperation, operatorOperation, tagged } from "../../core/operation.ts";
import { answerCreated } from "../../core/outcomes.ts";
import { sidParams, timestamp } from "../../core/schemas.ts";
import { pageAddress } from "./saved-views.ts";

export interface SupportLinkRouteDeps {
  readonly ids: Ids;
  readonly publicUrl: () => string;
}

const linkSchema = z
  .strictObject({
    sid: z.string(),
    url: z.url().describe("What support opens in the portal. It names the link, and nothing of the page."),
    createdOn: timestamp,
    expiresOn: timestamp.describe("30 days after it was made."),
  })
  .meta({ id: "SupportLink" });

const openedSchema = z
  .strictObject({
    sid: z.string(),
    accountSid: z.string(),
    address: z.string().describe("Path and query of the page, as the account sees it."),
    createdOn: timestamp,
    expiresOn: timestamp,
  })
  .meta({ id: "OpenedSupportLink" });

export const supportLinkOperations = tagged<SupportLinkRouteDeps>("Account", [
  accountOperation({
    id: "createSupportLink",
    sdk: "account.linkForSupport(address)",
    command: {
      name: "account support-link",
      about: "Make a link by which support sees a page of the portal as you do. It holds no data.",
      arguments: { "<address>": ["address", "path and query of the page, such as /messages?q=status:Failed"] },
      shows: [{ print: "{url}" }],
    },
    summary: "Make a link for support",
    description:
      "To a page of the portal, with its filters. Only operators can open it: they see the operator's view of the same thing. An account has at most 1,000; the oldest are removed.",
    route: "POST /Account/supportLinks",
    body: z.strictObject({ address: pageAddress }).meta({ id: "SupportLinkOrder" }),
    answers: { 201: { description: "The link.", body: linkSchema } },
    async handle({ account, body, now }, { supportLinks }, { ids, publicUrl }) {
      const link = await linkForSupport({ supportLinks, ids, now }, account.sid, body.address);
      const { sid, createdOn, expiresOn } = link;
      return answerCreated(ok({ sid, url: `${publicUrl()}/support/${sid}`, createdOn, expiresOn }));
    },
  }),
]);

export const openedLinkOperations = tagged<SupportLinkRouteDeps>("Operator", [
  operatorOperation({
    id: "openSupportLink",
    sdk: "supportLinks.open",
    command: {
      name: "operator support-link",
      about: "Show which page of which account a link for support names.",
      arguments: { "<sid>": "the end of the link: SL…" },
      shows: [{ say: "{address} of {accountSid}" }],
    },
    summary: "What a link for support names",
    description: "The account, and the address of the page as it sees it. Entered in the audit log.",
    route: "GET /SupportLinks/{sid}",
    params: sidParams,
    answers: { 200: { description: "The page.", body: openedSchema } },
    refusals: ["not-found"],
    audit: ({ params }) => ({ subject: params.sid, details: null }),
    async handle({ params, now }, { supportLinks }) {
      const link = await supportLinks.find(params.sid, now);
      if (link) return ok({ status: 200, body: link });
      return refused(problem("not-found", `There is no link for support ${params.sid}, or it has expired.`));
    },
  }),
]);
