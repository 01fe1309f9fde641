import type { AccountEvent, OutboundMessage } from "@tandem/sdk";
import { afterAll, beforeAll, expect, test, vi } from "vitest";

const KEY = ["messages", "sent", "recent"];
const row = (sid: string, status: string) => ({ sid, status }) as OutboundMessage;
const event = (Sid: string, Status: string) =>
  ({ type: "OutboundMessageStatusChanged", createdOn: "", payload: { Sid, Status } }) as unknown as AccountEvent;

beforeAll(() => void vi.stubGlobal("window", globalThis));
afterAll(() => void vi.unstubAllGlobals());

test("an answer that was read before an event does not put its row back", async () => {
  const [{ freshness }, { queries }] = await Promise.all([
    import("../../portal/src/api/freshness.ts"),
    import("../../portal/src/api/queries.ts"),
  ]);
  const shown = () => queries.getQueryData<readonly OutboundMessage[]>(KEY)?.map(({ status }) => status);
  queries.setQueryData(KEY, [row("OM1", "Queued")]);
  let answer: (rows: readonly OutboundMessage[]) => void = () => undefined;
  const reading = queries.fetchQuery({
    queryKey: KEY,
    staleTime: 0,
    queryFn: () =>
      new Promise<readonly OutboundMessage[]>((resolve) => {
        answer = resolve;
      }),
  });
  freshness.take(event("OM1", "Delivered"), "Account");
  await vi.waitFor(() => expect(shown()).toEqual(["Delivered"]));
  answer([row("OM2", "Queued"), row("OM1", "Sent")]);
  await reading;
  await vi.waitFor(() => expect(shown()).toEqual(["Queued", "Delivered"]));
  queries.clear();
});
