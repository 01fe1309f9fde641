import { expect, test } from "vitest";
import { FormRoom } from "./form-room.ts";

test("an account has room for two forms, and all together for eight", () => {
  const room = new FormRoom();
  const first = room.enter("AC1");
  expect(first).toBeDefined();
  expect(room.enter("AC1")).toBeDefined();
  expect(room.enter("AC1")).toBeUndefined();
  for (const sid of ["AC2", "AC3", "AC4"]) expect([room.enter(sid), room.enter(sid)]).not.toContain(undefined);
  expect(room.enter("AC5")).toBeUndefined();
  first?.();
  first?.();
  expect(room.enter("AC5")).toBeDefined();
  expect(room.enter("AC5")).toBeUndefined();
});
