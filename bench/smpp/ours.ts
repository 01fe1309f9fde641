// The product's link under load.

import { linkSettings } from "../../src/adapters/smpp/link-settings.ts";
import { SmppLink } from "../../src/adapters/smpp/smpp-link.ts";
import { FROM, Load, TEXT, TO, WINDOW } from "./load.ts";

const settings = linkSettings.parse({
  name: "bench",
  host: "127.0.0.1",
  port: Number(process.argv[2]),
  systemId: "bench",
  password: "bench",
  windowSize: WINDOW,
  validity: "off",
});
const silent = () => {};
const link = new SmppLink(
  { carrier: "bench", settings, run: "bench" },
  { receipt: async () => {}, part: async () => {}, late: silent, freed: fill },
  {
    log: { debug: silent, info: silent, warn: silent, error: console.error },
    now: () => Date.now(),
    elapsedMs: () => performance.now(),
    random: Math.random,
    secret: () => undefined,
  },
);
const load = new Load();
const message = {
  sid: "OM1",
  accountSid: "AC1",
  from: FROM,
  recipients: [TO],
  text: TEXT,
  mediaUrls: [],
  segmentCount: 1,
  priority: 2,
  carrier: null,
  expiresOn: new Date(Date.now() + 3_600_000),
  checkedOn: new Date(),
  isReply: false,
  deferrals: 0,
};
link.start();

function fill(): void {
  while (link.capacity() > 0) {
    link.submit(message, (outcome) => {
      if (outcome.kind !== "accepted") throw new Error(JSON.stringify(outcome));
      if (!load.answered()) process.exit();
    });
  }
}
