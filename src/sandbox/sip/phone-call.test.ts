// One call of a simulated telephone, observed by the SIP messages that it sends.

import { afterEach, expect, test } from "vitest";
import type { SipMessage } from "../../wire/sip/message.ts";
import { parseMessage } from "../../wire/sip/parse.ts";
import { conductOf } from "./behaviour.ts";
import { PhoneCall } from "./phone-call.ts";
import { PlayoutBuffer } from "./playout-buffer.ts";

const PEER = { address: "127.0.0.1", port: 5060 };
const user = {
  microphone: new PlayoutBuffer(),
  hear: () => undefined,
  connected: () => void events.push("connected"),
  ended: () => void events.push("ended"),
};
const taking = { conduct: conductOf("noAnswer"), user };

let events: string[] = [];
let sent: string[] = [];
let open: PhoneCall | undefined;
afterEach(() => {
  open?.close();
  events = [];
  sent = [];
});

function newCall(): PhoneCall {
  const line = {
    local: { address: "127.0.0.1", port: 5070 },
    send: (text: string) => void sent.push(text),
    done: () => undefined,
    say: async () => new Int16Array(0),
  };
  open = new PhoneCall(line, PEER, "one");
  return open;
}

function request(method: "INVITE" | "ACK"): SipMessage {
  const lines = [
    `${method} sip:+13035550199@127.0.0.1:5070 SIP/2.0`,
    `Via: SIP/2.0/UDP 127.0.0.1:5060;branch=z9hG4bK${method}`,
    "From: <sip:+12125550199@127.0.0.1>;tag=a",
    `To: <sip:+13035550199@127.0.0.1>${method === "ACK" ? ";tag=b" : ""}`,
    "Call-ID: one",
    `CSeq: 1 ${method}`,
    "Contact: <sip:127.0.0.1:5060>",
    "Max-Forwards: 70",
    "Content-Length: 0",
  ];
  const parsed = parseMessage(`${lines.join("\r\n")}\r\n\r\n`);
  if (!parsed.ok) throw new Error("this is no SIP");
  return parsed.message;
}

/** The methods and statuses of the sent messages, each once. */
const firstWords = () => [...new Set(sent.map((text) => text.replace(/^SIP\/2\.0 /, "").split(" ", 1)[0]))];

test("a call that is left between answer and ACK is hung up after the ACK, and connects no one", async () => {
  const call = newCall();
  await call.take(request("INVITE"), taking);
  call.accept();
  call.refuse(480);
  expect(firstWords()).toEqual(["100", "180", "200"]);
  call.receive(request("ACK"));
  expect(firstWords()).toEqual(["100", "180", "200", "BYE"]);
  expect(events).toEqual([]);
});

test("who decides before the telephone can ring is heard once it does", async () => {
  const call = newCall();
  const taken = call.take(request("INVITE"), taking);
  call.accept();
  await taken;
  expect(firstWords()).toEqual(["100", "180", "200"]);
  expect(sent.at(-1)).toMatch(/m=audio \d{4,5} /);
});
