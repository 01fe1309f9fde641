import { beforeEach, expect, test } from "vitest";
import { secretBox } from "../../../../test/fakes/secret-box.ts";
import { useWebhookStore } from "../../../../test/fakes/webhook-store.ts";
import { ok, refused } from "../../../base/result.ts";
import { accountStore } from "../accounts/accounts.ts";
import { callbackSecrets } from "./callbacks.ts";
import { signingKeys } from "./signing-keys.ts";

const store = useWebhookStore();
let sid: string;
beforeEach(async () => {
  sid = await store.addAccount();
});

/** The keys as another process reads them. */
const newKeys = () => signingKeys(store.db, store.box, store.clock);
const tokens = (box = store.box) => accountStore(store.db, box, async () => undefined);
const add = (n: number, { signs = true, box = store.box, ms = n } = {}) =>
  tokens(box).addToken(sid, {
    ...{ n, digest: Buffer.from(`${sid} ${n}`), toolWrites: false, createdOn: new Date(ms) },
    signingText: signs ? `token ${n}` : null,
  });

test("without a signing token the account's own secret signs, and is made where there is none", async () => {
  await add(1, { signs: false });
  const made = await newKeys()(sid);
  expect(made).toStrictEqual(ok(expect.stringMatching(/^whsec_/)));
  const now = store.clock.now();
  expect(await callbackSecrets(store.db, store.box).current(sid, now)).toStrictEqual([made.ok && made.value]);
  await callbackSecrets(store.db, store.box).rotate(sid, { secret: "whsec_new", previousUntil: now, now });
  expect(await newKeys()(sid)).toStrictEqual(ok("whsec_new"));
});

test("the older of two signs until the other is promoted, and then again when that is deleted", async () => {
  await add(1, { ms: 2 });
  await add(2, { ms: 1 });
  const keyOf = newKeys();
  expect(await keyOf(sid)).toStrictEqual(ok("token 2"));
  await tokens().promoteToken(sid, 1);
  expect(await keyOf(sid)).toStrictEqual(ok("token 1"));
  await tokens().removeToken(sid, 1);
  expect(await keyOf(sid)).toStrictEqual(ok("token 2"));
});

test("a token that was deleted signs nothing more, in a process that has signed with it before, too", async () => {
  await add(1);
  const processes = [newKeys(), newKeys(), newKeys()];
  expect(await Promise.all(processes.map((keyOf) => keyOf(sid)))).toStrictEqual(processes.map(() => ok("token 1")));
  await add(2);
  await tokens().removeToken(sid, 1);
  // No notification was sent.
  const asked = processes.flatMap((keyOf) => Array.from({ length: 50 }, () => keyOf(sid)));
  expect(new Set((await Promise.all(asked)).map((key) => key.ok && key.value))).toStrictEqual(new Set(["token 2"]));
});

test("accounts that are asked for together get a key each, their own", async () => {
  const keyOf = newKeys();
  const sids = [sid, await store.addAccount(), await store.addAccount()];
  const secrets = await Promise.all(sids.map((each) => keyOf(each)));
  await add(1);
  const again = await Promise.all([...sids, sid].map((each) => keyOf(each)));
  expect(again).toStrictEqual([ok("token 1"), ...secrets.slice(1), ok("token 1")]);
  expect(new Set(secrets.map((key) => key.ok && key.value)).size).toBe(3);
});

test("a token whose key is lost signs nothing, and the reason says what to do; the other one is promoted", async () => {
  await add(1, { box: secretBox(new Uint8Array(32).fill(8)) });
  await add(2);
  const reason = "not sent: signing token 1 cannot be decrypted; delete it and make another";
  expect(await newKeys()(sid)).toStrictEqual(refused(reason));
  await tokens().promoteToken(sid, 2);
  expect(await newKeys()(sid)).toStrictEqual(ok("token 2"));
});
