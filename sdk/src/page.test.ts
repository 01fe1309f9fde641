import { expect, test } from "vitest";
import { createClient, createOperatorClient, type TandemClient } from "./index.ts";

/** A client of a server whose lists have these pages, each identified by its index. */
function clientOf(pages: readonly (readonly string[])[], nextOf = (place: number) => place + 1) {
  const asked: string[] = [];
  const fetch = async (url: unknown) => {
    const { pathname, searchParams, search } = new URL(String(url));
    asked.push(`${pathname}${search}`);
    const place = Number(searchParams.get("SearchId") ?? 0);
    const items = pages[place]?.map((sid) => ({ sid }));
    return Response.json({ items, ...(nextOf(place) < pages.length && { searchId: String(nextOf(place)) }) });
  };
  const baseUrl = "http://localhost:8080";
  const operator = createOperatorClient({ baseUrl, token: "t", fetch });
  return { client: createClient({ baseUrl, accountSid: "AC1", token: "t", fetch }), operator, asked };
}

async function sidsOf(items: AsyncIterable<{ readonly sid: string }>): Promise<readonly string[]> {
  const sids: string[] = [];
  for await (const { sid } of items) sids.push(sid);
  return sids;
}

const failed = (client: TandemClient) => client.messages.list({ status: "Failed", pageSize: 2 });

test("a list that is awaited is one page", async () => {
  const { client, asked } = clientOf([["OM1", "OM2"], ["OM3"]]);
  expect(await failed(client)).toMatchObject({ status: 200, data: { searchId: "1", items: [{}, {}] } });
  expect(asked).toEqual(["/messaging/v1/OutboundMessages?Status=Failed&PageSize=2"]);
});

test("a list that is gone through is all pages, with the same filters", async () => {
  const { client, operator, asked } = clientOf([["OM1", "OM2"], [], ["OM3"]]);
  expect(await sidsOf(failed(client))).toEqual(["OM1", "OM2", "OM3"]);
  expect(asked).toEqual([
    "/messaging/v1/OutboundMessages?Status=Failed&PageSize=2",
    "/messaging/v1/OutboundMessages?Status=Failed&PageSize=2&SearchId=1",
    "/messaging/v1/OutboundMessages?Status=Failed&PageSize=2&SearchId=2",
  ]);
  expect(await sidsOf(operator.account("AC1").messages.list())).toEqual(["OM1", "OM2", "OM3"]);
  expect(asked.at(-1)).toBe("/operator/v1/Accounts/AC1/OutboundMessages?SearchId=2");
});

test("pages that are not read are not requested", async () => {
  const { client, asked } = clientOf([["OM1"], ["OM2"], ["OM3"]]);
  for await (const { sid } of client.messages.list()) if (sid === "OM2") break;
  expect(asked).toHaveLength(2);
});

test("pages come one by one, each with its answer", async () => {
  const { client } = clientOf([["OM1"], ["OM2"]]);
  const sizes: number[] = [];
  for await (const { data, status } of client.messages.list().pages()) sizes.push(data.items.length, status);
  expect(sizes).toEqual([1, 200, 1, 200]);
});

test("a server that answers the same page for ever is not asked for ever", async () => {
  const { client } = clientOf([["OM1"], ["OM2"], []], () => 1);
  await expect(sidsOf(client.messages.list())).rejects.toMatchObject({ fault: "garbled" });
});
