// npm's smpp under the same load.

import smpp from "smpp";
import { FROM, Load, TEXT, TO, WINDOW } from "./load.ts";

const load = new Load();
const session = smpp.connect({ host: "127.0.0.1", port: Number(process.argv[2]) }, () => {
  session.socket.setNoDelay(true);
  session.bind_transceiver({ system_id: "bench", password: "bench" }, () => {
    for (let unanswered = 0; unanswered < WINDOW; unanswered++) submit();
  });
});

function submit(): void {
  session.submit_sm(
    {
      source_addr_ton: 1,
      source_addr_npi: 1,
      source_addr: FROM.slice(1),
      dest_addr_ton: 1,
      dest_addr_npi: 1,
      destination_addr: TO.slice(1),
      registered_delivery: 1,
      // Without it, npm's smpp would set the data_coding of IA5.
      data_coding: 0,
      short_message: TEXT,
    },
    ({ command_status }) => {
      if (command_status !== 0) throw new Error(`status ${command_status}`);
      if (!load.answered()) process.exit();
      submit();
    },
  );
}
