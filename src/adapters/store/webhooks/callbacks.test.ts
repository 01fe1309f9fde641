import { expect, test } from "vitest";
import { secretBox } from "../../../../test/fakes/secret-box.ts";
import { useWebhookStore } from "../../../../test/fakes/webhook-store.ts";
import { callbackSecrets } from "./callbacks.ts";

const store = useWebhookStore();

test("a new secret signs although the one before was sealed with a key that is gone", async () => {
  const now = store.clock.now();
  const gone = callbackSecrets(store.db, secretBox(new Uint8Array(32).fill(8)));
  const secrets = callbackSecrets(store.db, store.box);
  await gone.ensure(store.accountSid, now);
  await expect(secrets.current(store.accountSid, now)).rejects.toThrow();
  const order = { secret: "whsec_new", previousUntil: new Date(now.getTime() + 60_000), now };
  expect(await secrets.rotate(store.accountSid, order)).toBe(true);
  expect(await secrets.current(store.accountSid, now)).toEqual(["whsec_new"]);
});
