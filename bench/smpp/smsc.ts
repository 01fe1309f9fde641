// A minimal SMSC, so that its clients dominate the measurement: reads only headers, accepts every bind and every
// submit.

import { createServer } from "node:net";
import { COMMAND_ID } from "../../src/wire/smpp/commands.ts";
import { writePdu } from "../../src/wire/smpp/encode.ts";
import { Framer } from "../../src/wire/smpp/framer.ts";
import { readU32 } from "../../src/wire/smpp/pdu-reader.ts";
import { PduWriter } from "../../src/wire/smpp/pdu-writer.ts";
import { NO_TLVS } from "../../src/wire/smpp/tlv.ts";

let accepted = 0;
const writer = new PduWriter();

const server = createServer({ noDelay: true }, (socket) => {
  const framer = new Framer();
  socket.on("error", () => socket.destroy());
  socket.on("data", (chunk) => {
    for (const pdu of framer.push(chunk).pdus) answer(readU32(pdu, 4), readU32(pdu, 12));
    if (writer.length > 0) socket.write(writer.take());
  });
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  console.log(typeof address === "object" ? address?.port : address);
});

function answer(commandId: number, sequence: number): void {
  switch (commandId) {
    case COMMAND_ID.submit_sm: {
      const messageId = String(++accepted);
      writePdu(writer, { command: "submit_sm_resp", status: 0, messageId, tlvs: NO_TLVS }, sequence);
      break;
    }
    case COMMAND_ID.bind_transceiver:
      writePdu(writer, { command: "bind_transceiver_resp", status: 0, systemId: "bench", tlvs: NO_TLVS }, sequence);
      break;
    case COMMAND_ID.enquire_link:
      writePdu(writer, { command: "enquire_link_resp", status: 0 }, sequence);
      break;
    case COMMAND_ID.unbind:
      writePdu(writer, { command: "unbind_resp", status: 0 }, sequence);
      break;
  }
}
