import { expect, test } from "vitest";
import { silent } from "../../../test/fakes/silent-log.ts";
import { VirtualClock } from "../../../test/fakes/virtual-clock.ts";
import type { Call } from "./call.ts";
import { CallWriter, type CallWriterDeps } from "./call-writer.ts";

test("what another write has taken is not stored before that one is, whatever the store answers first", async () => {
  const takes: (() => unknown)[] = [];
  const answers: { resolve: (isOurs: boolean) => void; reject: (fault: Error) => void }[] = [];
  const ledger: CallWriterDeps["ledger"] = {
    save: (take) =>
      new Promise((resolve, reject) => {
        takes.push(take);
        answers.push({ resolve, reject });
      }),
  };
  const deps = { ledger, clock: new VirtualClock(), log: silent, call: () => ({}) as Call, forwarding: () => null };
  const scope = { phone: null, messagingConfigSid: null, callback: null, eventsTold: 0 };
  const writer = new CallWriter({ ...deps, lost: () => undefined }, scope as never);
  writer.store();
  const saved = writer.save().then(
    () => "stored",
    (fault: Error) => fault.message,
  );
  expect(takes.map((take) => take() !== undefined)).toEqual([true, false]);
  answers[1]?.resolve(true);
  answers[0]?.reject(new Error("bad row"));
  expect(await saved).toBe("bad row");
});
