// What accounts share by HTTP: streams and lists. What one account does keeps no other one waiting.

import { expect, test } from "vitest";
import { useTandem } from "../use-tandem.ts";
import { newAccount } from "./account.ts";
import { type OpenStream, openStream } from "./event-stream.ts";
import { answerOf, WIDE } from "./numbers.ts";
import { problemOf } from "./problem.ts";

const tandem = useTandem();
const STREAMS_MAX = 20;
const LISTS = 200;

test("an account has its number of streams, and the next one is refused; another account's is opened", async () => {
  const [one, other] = [await newAccount(tandem), await newAccount(tandem)];
  const open: OpenStream[] = [];
  for (let count = 0; count < STREAMS_MAX; count++) open.push(await openStream(one.call, "/v1/Events/stream"));
  const { code, detail } = await problemOf(await one.call("/v1/Events/stream"), 409);
  expect([code, detail]).toEqual(["conflict", "20 streams are open already: close one first."]);
  open.push(await openStream(other.call, "/v1/Events/stream"));
  for (const stream of open) await stream.leave();
  const again = async () => {
    const response = await one.call("/v1/Events/stream");
    await response.body?.cancel();
    return response.status;
  };
  await expect.poll(again).toBe(200);
});

test("beside an account that asks for many lists at once, another's is answered; none is lost", async () => {
  const [one, other] = [await newAccount(tandem, { limits: { read: WIDE } }), await newAccount(tandem)];
  const many = Promise.all(Array.from({ length: LISTS }, () => one.call("/v1/Events?PageSize=1000")));
  await answerOf(await other.call("/v1/Phones"), 200);
  for (const answer of await many) {
    // A list that waited too long for its turn says when to ask again.
    if (answer.status === 503) expect(answer.headers.get("Retry-After")).toBe("1");
    if (answer.status === 503) await problemOf(answer, 503);
    else await answerOf(answer, 200);
  }
});
