// A 404 names what was not found.

import { expect, test } from "vitest";
import { NOUNS, resourcesOf } from "../../src/adapters/http/core/not-found.ts";
import { documentedOperations } from "../../src/server/parts/api.ts";
import { json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { problemOf } from "./problem.ts";

const tandem = useTandem();
const SID = "0".repeat(32);

test.each<[string, string, object | undefined, string]>([
  ["GET", `/v1/Webhooks/WS${SID}`, undefined, `The account has no subscription WS${SID}.`],
  ["PATCH", `/v1/Webhooks/WS${SID}`, {}, `The account has no subscription WS${SID}.`],
  ["GET", `/v1/Webhooks/deliveries/WH${SID}`, undefined, `The account has no delivery WH${SID}.`],
  ["GET", `/messaging/v1/OutboundMessages/OM${SID}/why`, undefined, `The account has no outbound message OM${SID}.`],
  ["GET", `/v1/MessagingConfigs/MC${SID}`, undefined, `The account has no MessagingConfig MC${SID}.`],
  ["PATCH", "/v1/Phones/14155550100", {}, "The account has no number 14155550100."],
  ["GET", `/v1/Phones/port-in/PO${SID}`, undefined, `The account has no port order PO${SID}.`],
  ["GET", "/v1/TcrCampaigns/CNOBODY", undefined, "The account has no campaign CNOBODY."],
  ["GET", "/v1/Media/MEnobody", undefined, "There is no such media."],
  [
    "DELETE",
    "/v1/OptOuts?Number=%2B14155550100&ScopeType=TcrCampaign&Scope=cnobody",
    undefined,
    "+14155550100 has not opted out of CNOBODY.",
  ],
  ["POST", "/testkit/v1/Emulate/port", { sid: "PO1" }, "The account has no port order PO1."],
  [
    "POST",
    "/testkit/v1/Emulate/outbound-message-status",
    { sid: "OM1", deliveredSuccessfully: true },
    "The account has no outbound message OM1.",
  ],
])("%s %s", async (method, path, body, detail) => {
  const answer = await tandem.get(path, body === undefined ? { method } : json(method, body));
  expect(await problemOf(answer, 404)).toMatchObject({ code: "not-found", detail });
});

test.each([
  ["/operator/v1/Accounts/AC1", "There is no account AC1."],
  ["/operator/v1/LookupOverrides/+14155550199", "There is no lookup override of +14155550199."],
  [`/operator/v1/PortOrders/PO${SID}/documents/3`, `There is no document 3 of port order PO${SID}.`],
])("%s", async (path, detail) => {
  expect(await problemOf(await tandem.operator(path), 404)).toMatchObject({ detail });
});

test("every resource that may be missing has a name", () => {
  const operations = (["lookup", "messaging", "account", "operator"] as const).flatMap(documentedOperations);
  const missable = operations.filter(({ refusals }) => refusals.includes("not-found"));
  expect(missable.length).toBeGreaterThan(30);
  for (const { path } of missable) for (const [part] of resourcesOf(path)) expect([...NOUNS.keys()]).toContain(part);
});
