// An SMSC to try things out with, made of npm's smpp: node smsc.mjs PORT SYSTEM_ID PASSWORD
// It accepts every text, replies to it as a phone might, and sends a receipt. It is not part of Tandem: it stands in
// for a carrier's SMSC.
import smpp from "smpp";

const [port = "2775", systemId = "tandem", password = "secret"] = process.argv.slice(2);
const log = (line) => console.log(line);
const stamp = () => new Date().toISOString().replace(/\D/g, "").slice(2, 12);
let taken = 0;

const server = smpp.createServer((session) => {
  session.on("error", () => session.destroy());
  session.on("bind_transceiver", (pdu) => {
    const isKnown = pdu.system_id === systemId && pdu.password === password;
    log(`bind by ${pdu.system_id}: ${isKnown ? "welcome" : "refused"}`);
    session.send(pdu.response({ command_status: isKnown ? 0 : smpp.ESME_RBINDFAIL, system_id: "smsc" }));
  });
  for (const command of ["enquire_link", "unbind"]) session.on(command, (pdu) => session.send(pdu.response()));
  session.on("submit_sm", (pdu) => {
    const id = `smsc-${++taken}`;
    log(`text ${id} from ${pdu.source_addr} to ${pdu.destination_addr}: ${pdu.short_message.message}`);
    session.send(pdu.response({ message_id: id }));
    // From the phone that received the text, back to the number that sent it.
    const way = {
      source_addr_ton: 1,
      source_addr_npi: 1,
      source_addr: pdu.destination_addr.replace("+", ""),
      dest_addr_ton: 1,
      dest_addr_npi: 1,
      destination_addr: pdu.source_addr.replace("+", ""),
      data_coding: 0,
    };
    session.deliver_sm({ ...way, short_message: "Hello, too" }, (answer) => {
      log(`answer to ${id}: status ${answer.command_status}`);
      const dates = `submit date:${stamp()} done date:${stamp()}`;
      const receipt = `id:${id} sub:001 dlvrd:001 ${dates} stat:DELIVRD err:000 text:`;
      session.deliver_sm({ ...way, esm_class: 4, short_message: receipt }, (taken) =>
        log(`receipt of ${id}: status ${taken.command_status}`),
      );
    });
  });
});
server.listen(Number(port), "127.0.0.1", () => log(`listening on ${port}`));
