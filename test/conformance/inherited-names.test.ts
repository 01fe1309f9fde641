// Names that every JavaScript object inherits, in places where an untrusted sender chooses the name: they are treated
// like any other name that is not in a table.

import { expect, test } from "vitest";
import { sinceOf } from "../../portal/src/components/filter.ts";
import { webhookEventOf } from "../../sdk/src/webhook-events.ts";
import { judgeMedia } from "../../src/adapters/attachments/judge-attachment.ts";
import { twilioCallStatus, twilioMessageStatus } from "../../src/adapters/twilio/names.ts";
import { readReplies } from "../../src/adapters/twilio/read-replies.ts";
import { twimlReader } from "../../src/adapters/twilio/read-twiml.ts";
import { ok } from "../../src/base/result.ts";
import { adviceFor } from "../../src/cli/advice.ts";
import { mobileNetworkOf } from "../../src/domain/lookup/mobile-networks.ts";
import { readScript } from "../../src/domain/voice/read-script.ts";
import { decodeCharset } from "../../src/wire/mm4/charset.ts";
import { parseMm4 } from "../../src/wire/mm4/parse.ts";
import { writeSmil } from "../../src/wire/mm4/smil.ts";
import { parseCredentials, pickChallenge } from "../../src/wire/sip/digest.ts";
import { canonicalName } from "../../src/wire/sip/header-names.ts";

const readTwiml = twimlReader({ name: "slt", language: "en" });
const INHERITED = ["constructor", "__proto__", "toString", "hasOwnProperty", "valueOf", "__defineGetter__"];
const UNKNOWN = "unheardOf";

const bytes = (text: string) => new TextEncoder().encode(text);
const script = (text: string) => bytes(`<Response>${text}</Response>`);
const anywhere = () => ok({ text: "+14155550100" });
const mm4 = (type: string) => {
  const head = ["X-Mms-Message-Type: TYPE", "X-Mms-Transaction-ID: 1", "X-Mms-Message-ID: 1", "From: a@b", "To: c@d"];
  return bytes(`${head.join("\r\n").replace("TYPE", type)}\r\n\r\n`);
};
const digest = (algorithm: string) =>
  `Digest realm="a", nonce="b", username="c", uri="sip:d", response="e", ${algorithm}`;

/** The readers under test, by what they read. */
const READERS: Readonly<Record<string, (name: string) => unknown>> = {
  "the value of record in TwiML": (name) => readTwiml(script(`<Dial record="${name}">+1415</Dial>`), anywhere as never),
  "an attribute in TwiML": (name) => readTwiml(script(`<Say ${name}="1">Hi</Say>`), anywhere as never),
  "a verb in TwiML": (name) => readTwiml(script(`<${name}/>`), anywhere as never),
  "a noun in TwiML": (name) => readTwiml(script(`<Dial><${name}>+1415</${name}></Dial>`), anywhere as never),
  "the root of TwiML": (name) => readTwiml(bytes(`<${name}><Hangup/></${name}>`), anywhere as never),
  "a verb in a script": (name) => readScript(script(`<${name}/>`), anywhere as never),
  "the root of a script": (name) => readScript(bytes(`<${name}><Hangup/></${name}>`), anywhere as never),
  "an element of a reply": (name) => readReplies(script(`<Message><${name}>Hi</${name}></Message>`)),
  "the algorithm of a challenge": (name) => pickChallenge([digest(`algorithm=${name}`)]),
  "the algorithm of a session's challenge": (name) => pickChallenge([digest(`algorithm=${name}-sess`)]),
  "the algorithm of credentials": (name) => parseCredentials(digest(`algorithm=${name}`)),
  "a header of SIP": (name) => canonicalName(name),
  "the type of an MM4 message": (name) => parseMm4(mm4(name)),
  "the charset of a part": (name) => decodeCharset(bytes("Grüße"), name),
  "the type of a part": (name) => writeSmil(undefined, [{ contentType: `${name}/x`, contentId: "1" }]),
  "the type of an attachment": (name) => judgeMedia(bytes("plain"), name),
  "the country of a network": (name) => mobileNetworkOf(name, "EE"),
  "the name of a network": (name) => mobileNetworkOf("GB", name),
  "the status of a message": (name) => twilioMessageStatus(name, false),
  "the status of a call": (name) => twilioCallStatus(name, null, false),
  "the end of a call": (name) => twilioCallStatus("Failed", name, false),
  "the type of a webhook": (name) => webhookEventOf(name, {}),
  "the code of a refusal": (name) => adviceFor({ code: name }),
  "a time in the portal": (name) => sinceOf(name, new Date(0)),
};

/** Replaces the lower-case spelling too, because many tables are read in lower case. */
const told = (read: (name: string) => unknown, name: string) =>
  (JSON.stringify(read(name)) ?? "nothing").replaceAll(new RegExp(name, "gi"), "NAME").replace(/"column":\d+/, "");

test.each(Object.entries(READERS))("%s is not looked up in what every object knows", (_, read) => {
  for (const name of INHERITED) expect(told(read, name), name).toBe(told(read, UNKNOWN));
});
