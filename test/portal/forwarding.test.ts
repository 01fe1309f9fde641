// What the Sandbox says of a call to a number, for each way of forwarding.

import { expect, test } from "vitest";
import { forwardingOf } from "../../portal/src/screens/sandbox/forwarding.ts";

const PHONE = { number: "+14155550100", messagingConfigSid: "MC1" };
const NOWHERE = { callsForwardedTo: null, recordInboundCalls: false };
const webhook = (sid: string, more: object = {}) => ({
  sid,
  url: `https://${sid.toLowerCase()}.example/calls`,
  types: ["InboundCallReceivedWebhook"] as const,
  enabled: true,
  disabledReason: null,
  phone: null,
  messagingConfigSid: null,
  ...more,
});
const kindOf = (webhooks: readonly ReturnType<typeof webhook>[]) => {
  const forwarding = forwardingOf(PHONE, NOWHERE, webhooks);
  return "webhook" in forwarding ? `${forwarding.kind} ${forwarding.webhook.sid}` : forwarding.kind;
};

test("a number or a SIP address rings, whatever webhooks there are", () => {
  const rings = (to: string, isRecorded = false) =>
    forwardingOf(PHONE, { callsForwardedTo: to, recordInboundCalls: isRecorded }, [webhook("WS1")]);
  expect(rings("sip:alice@example.com", true)).toMatchObject({ kind: "rings", isRecorded: true, does: undefined });
  expect(rings("+17205550101")).toMatchObject({ kind: "rings", to: "+17205550101", does: "Is busy: 486." });
});

test("without forwarding the narrowest webhook that is on answers", () => {
  const own = webhook("WSPHONE", { phone: PHONE.number });
  const ofConfig = webhook("WSCONFIG", { messagingConfigSid: "MC1" });
  const ofAccount = webhook("WSACCOUNT");
  expect(kindOf([ofAccount, ofConfig, own])).toBe("script WSPHONE");
  expect(kindOf([ofAccount, ofConfig, { ...own, enabled: false }])).toBe("script WSCONFIG");
  expect(kindOf([ofAccount])).toBe("script WSACCOUNT");
});

test("one that is off answers nothing, and others' webhooks do not count", () => {
  expect(kindOf([])).toBe("refused");
  expect(kindOf([webhook("WS1", { enabled: false })])).toBe("off WS1");
  expect(kindOf([webhook("WS1", { phone: "+14155550199" }), webhook("WS2", { messagingConfigSid: "MC2" })])).toBe(
    "refused",
  );
  expect(kindOf([webhook("WS1", { types: ["InboundMessageReceived"] })])).toBe("refused");
});
