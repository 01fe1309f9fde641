// MMS over one link. The greedy account's media begin and never end.

import { startMediaServer } from "../../test/contract/media-server.ts";
import { Peer } from "../../test/fakes/mm4-peer.ts";
import { databaseOf } from "../../test/tandem-database.ts";
import { nextNumber } from "./numbers.ts";
import type { Part } from "./part.ts";
import { sleep, times } from "./repeat.ts";
import { startTenants } from "./tenants.ts";

const WAITING = 200;
const AT_ONCE = 16;
/** Until the greedy account's first messages hold the link. */
const FILLING_MS = 2_000;
/** A fetch that does not end is given up. */
const FETCH_MS_MAX = 15_000;

export async function startMms(): Promise<Part> {
  const media = await startMediaServer();
  const peer = await Peer.start();
  const link = { name: "bench", host: "127.0.0.1", port: peer.port, ourHost: "us.example", peerHost: "them.example" };
  const listen = { port: 0, allowedNetworks: ["127.0.0.0/8"] };
  const { tandem, small, greedy, close } = await startTenants({
    carriers: [{ name: "bench", mm4: [{ ...link, listen }] }],
  });
  const database = databaseOf(tandem);

  const sendOne = async () => {
    const number = nextNumber();
    await small.send({ To: number, MediaUrls: [media.urlOf("/b.jpg")] });
    await peer.until(() => peer.mails.some(({ to }) => to[0]?.startsWith(number)));
  };

  return {
    everyMs: 500,
    ask: async () => [sendOne()],
    async crowd() {
      const message = { MediaUrls: [media.urlOf("/slow.png")] };
      await times(WAITING, AT_ONCE, () => greedy.send({ To: nextNumber(), ...message }));
      await sleep(FILLING_MS);
    },
    async calm() {
      await database.query("delete from outbound_queue where account_sid = $1", [greedy.sid]);
      await sleep(FETCH_MS_MAX);
    },
    async close() {
      await database.close();
      await close();
      await peer.close();
      await media.close();
    },
  };
}
