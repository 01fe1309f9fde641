import { expect, test } from "vitest";
import { VirtualClock } from "../../../../test/fakes/virtual-clock.ts";
import { firstSidAt, makeIds } from "../../../base/ids.ts";
import { DatabaseClock } from "../../store/engine/database-clock.ts";
import { idsFor, requestIdOf } from "./request-context.ts";

test("the sid of a message has PostgreSQL's time, whatever the date of the machine", async () => {
  const postgresMs = Date.UTC(2026, 10, 16);
  const clock = new DatabaseClock(new VirtualClock(postgresMs + 90 * 86_400_000));
  await clock.compare(async () => [{ nowMs: postgresMs }]);
  const ids = makeIds(clock);
  const id = requestIdOf({ headers: {} }, ids);
  const sid = idsFor({ id, isGiven: false }, ids, "OM").sid("OM");
  expect(sid.slice(0, 14)).toBe(firstSidAt("OM", new Date(postgresMs)));
  expect(idsFor({ id: "mine", isGiven: true }, ids, "OM").sid("OM").slice(0, 14)).toBe(sid.slice(0, 14));
});
