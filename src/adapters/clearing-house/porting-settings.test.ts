import { describe, expect, test } from "vitest";
import { silent as log } from "../../../test/fakes/silent-log.ts";
import { VirtualClock } from "../../../test/fakes/virtual-clock.ts";
import type { PortDetails } from "../../domain/porting/index.ts";
import { newPortOrder } from "../../domain/porting/port-order.ts";
import { makePorting, portingSettings } from "./porting-settings.ts";

const NOW = new Date("2026-01-05T12:00:00Z");
const deps = { log, clock: new VirtualClock(NOW), secret: (name: string) => ({ TOKEN: "t0ken", BAD: "a\nb" })[name] };
const http = { kind: "http", baseUrl: "https://house.example/api", token: "env:TOKEN", webhookSecret: "s3cret" };

describe("the settings", () => {
  test("say by hand, or a clearing house, and nothing else", () => {
    expect(portingSettings.parse({ kind: "manual" })).toEqual({ kind: "manual" });
    expect(portingSettings.safeParse({ kind: "fax" }).success).toBe(false);
  });

  test("of a clearing house have deadlines and bounds of their own", () => {
    expect(portingSettings.parse(http)).toEqual({
      ...http,
      webhookPath: "/porting/v1/notifications",
      deadlineMs: 10_000,
      documentDeadlineMs: 60_000,
      pollSeconds: 60,
      concurrencyMax: 4,
    });
  });

  test.each([
    ["http://house.example", false],
    ["https://me:pw@house.example", false],
    ["https://house.example/?a=1", false],
    ["ftp://127.0.0.1", false],
    ["http://127.0.0.1.example.com", false],
    ["nonsense", false],
    ["http://127.0.0.1:8099", true],
    ["http://[::1]:8099", true],
    ["http://localhost/api", true],
  ])("send PINs to %s: %s", (baseUrl, isFit) => {
    expect(portingSettings.safeParse({ ...http, baseUrl }).success).toBe(isFit);
  });

  test("are not used without their secrets", async () => {
    const settings = portingSettings.parse({ ...http, token: "env:NONE", webhookSecret: "env:NADA" });
    expect(() => makePorting(settings, deps)).toThrow("NONE is not set");
    const unfit = portingSettings.parse({ ...http, token: "env:BAD" });
    expect(() => makePorting(unfit, deps)).toThrow("no visible ASCII");
    const porting = makePorting(portingSettings.parse(http), deps);
    expect(porting).toMatchObject({
      webhook: { path: "/porting/v1/notifications", secret: "s3cret" },
      pollSeconds: 60,
    });
    await porting.gateway.close();
  });
});

describe("by hand", () => {
  const { gateway, ...rest } = makePorting({ kind: "manual" }, deps);
  const numbers = ["+14155550100", "+14155550101"];
  const order = newPortOrder({
    sid: `PO${"0".repeat(32)}`,
    accountSid: `AC${"0".repeat(32)}`,
    messagingConfigSid: `MC${"0".repeat(32)}`,
    numbers,
    createdOn: NOW,
    details: {} as PortDetails,
  });

  test("an order waits for the operator, and nobody tells of it", async () => {
    expect(rest).toEqual({});
    expect(await gateway.submit(order, new Map(), [])).toEqual({ kind: "taken", updates: [] });
    expect(await gateway.updates("x")).toEqual({ updates: [], cursor: "x", more: false });
    await gateway.close();
  });

  test("a cancellation holds at once", async () => {
    const change = { kind: "cancelled" };
    const updates = [{ orderSid: order.sid, sequence: 1, at: NOW, numbers, change }];
    expect(await gateway.cancel(order)).toEqual({ kind: "taken", updates });
    const done = { ...order, numbers: order.numbers.map((number) => ({ ...number, status: "Failed" as const })) };
    expect(await gateway.cancel(done)).toEqual({ kind: "taken", updates: [] });
  });

  test("an answered exception is the operator's again", async () => {
    const [first, second] = order.numbers;
    const held = { ...order, sequence: 4, numbers: [{ ...first, status: "Exception" }, second] } as typeof order;
    const change = { kind: "submitted" };
    const updates = [{ orderSid: order.sid, sequence: 5, at: NOW, numbers: [numbers[0]], change }];
    expect(await gateway.supplement(held, new Map(), [])).toEqual({ kind: "taken", updates });
    expect(await gateway.supplement(order, new Map(), [])).toEqual({ kind: "taken", updates: [] });
  });
});
