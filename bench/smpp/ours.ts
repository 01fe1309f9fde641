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
});
const silent = () => {};
const link = new SmppLink(
  settings,
  { receipt: async () => {}, inbound: async () => {}, changed: silent, room: fill },
  {
    log: { debug: silent, info: silent, warn: silent, error: console.error },
    now: () => Date.now(),
    elapsedMs: () => performance.now(),
    random: Math.random,
    secret: () => undefined,
  },
);
const load = new Load();
let sent = 0;
link.start();

function fill(): void {
  while (link.room() > 0) {
    sent++;
    link.submit({ sid: `OM${sent}`, from: FROM, to: TO, text: TEXT, reference: sent & 0xffff }, (outcome) => {
      if (outcome.kind !== "accepted") throw new Error(JSON.stringify(outcome));
      if (!load.answered()) process.exit();
    });
  }
}
