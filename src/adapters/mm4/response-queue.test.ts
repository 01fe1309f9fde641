import { expect, test } from "vitest";
import { ResponseQueue } from "./response-queue.ts";
import type { Mail, MailOutcome } from "./smtp-connection.ts";

const LETTER: Mail = { from: "a@us.example", to: ["b@them.example"], bytes: new Uint8Array() };

/** The reason why a letter was given up, and how often it was tried. */
function postUntilGivenUp(
  send: () => Promise<MailOutcome>,
): Promise<{ readonly reason: unknown; readonly tries: number }> {
  return new Promise((resolve) => {
    const say = () => {};
    let tries = 0;
    const warn = ({ reason }: { readonly reason?: unknown }) => resolve({ reason, tries });
    const counted = () => {
      tries += 1;
      return send();
    };
    new ResponseQueue(counted, { debug: say, info: say, warn, error: say }, [1, 1]).post(LETTER, "M-7");
  });
}

test("an answer that the peer does not take is tried a few times", async () => {
  const send = async (): Promise<MailOutcome> => ({ kind: "refused", status: 451, text: "451 later" });
  expect(await postUntilGivenUp(send)).toEqual({ reason: "451 later", tries: 3 });
});

test.each([
  ["rejects", () => Promise.reject(new Error("no way out"))],
  [
    "throws",
    () => {
      throw new Error("no way out");
    },
  ],
])("sending that %s is a try like another, and ends nothing", async (_, send) => {
  expect(await postUntilGivenUp(send)).toEqual({ reason: "no way out", tries: 3 });
});
