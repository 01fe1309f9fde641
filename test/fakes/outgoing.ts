// An outgoing message with defaults for what a test does not set.

import type { Outgoing } from "../../src/domain/messaging/index.ts";

export const outgoing = (rest: Partial<Outgoing> = {}): Outgoing => ({
  sid: "OM1",
  accountSid: "AC1",
  from: "+12125550000",
  recipients: ["+14155550100"],
  text: "hello",
  mediaUrls: [],
  segmentCount: 1,
  priority: 2,
  carrier: null,
  expiresOn: new Date(Date.now() + 3_600_000),
  checkedOn: new Date(),
  isReply: false,
  deferrals: 0,
  ...rest,
});
