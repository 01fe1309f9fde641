// RFC 4475: every message of the torture set, with our verdict. The npm package `sip` carries the files byte for byte
// as in the RFC.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { parseMessage } from "../../src/wire/sip/parse.ts";
import { refusalOf } from "../../src/wire/sip/request-check.ts";

const FOLDER = join(dirname(createRequire(import.meta.url).resolve("sip")), "test/messages");

/** A number is our response's status. `accepted` goes on to the call; `dropped` is a response, so it gets no answer. */
const VERDICTS: readonly (readonly [file: string, section: string, verdict: "accepted" | "dropped" | number])[] = [
  ["wsinv", "3.1.1.1", "accepted"],
  ["intmeth", "3.1.1.2", 501],
  ["esc01", "3.1.1.3", "accepted"],
  ["escnull", "3.1.1.4", 405],
  ["esc02", "3.1.1.5", 501],
  ["lwsdisp", "3.1.1.6", "accepted"],
  ["longreq", "3.1.1.7", "accepted"],
  ["dblreq", "3.1.1.8", 405],
  ["semiuri", "3.1.1.9", "accepted"],
  ["transports", "3.1.1.10", "accepted"],
  ["mpart01", "3.1.1.11", 405],
  ["unreason", "3.1.1.12", "accepted"],
  ["noreason", "3.1.1.13", "accepted"],
  ["badinv01", "3.1.2.1", 400],
  ["clerr", "3.1.2.2", 400],
  ["ncl", "3.1.2.3", 400],
  ["scalar02", "3.1.2.4", 400],
  ["scalarlg", "3.1.2.5", "dropped"],
  ["quotbal", "3.1.2.6", 400],
  ["ltgtruri", "3.1.2.7", 400],
  ["lwsruri", "3.1.2.8", 400],
  ["lwsstart", "3.1.2.9", 400],
  ["trws", "3.1.2.10", 400],
  ["escruri", "3.1.2.11", 400],
  ["baddate", "3.1.2.12", 400],
  ["regbadct", "3.1.2.13", 400],
  ["badaspec", "3.1.2.14", 400],
  ["baddn", "3.1.2.15", 400],
  ["badvers", "3.1.2.16", 505],
  ["mismatch01", "3.1.2.17", 400],
  ["mismatch02", "3.1.2.18", 400],
  ["bigcode", "3.1.2.19", "dropped"],
  ["badbranch", "3.2.1", 400],
  ["insuf", "3.3.1", 400],
  ["unkscm", "3.3.2", 416],
  ["novelsc", "3.3.3", 416],
  // There is no registrar here: 405 is sent before the registration is read.
  ["unksm2", "3.3.4", 405],
  ["bext01", "3.3.5", 420],
  ["invut", "3.3.6", 415],
  ["regaut01", "3.3.7", 405],
  ["multi01", "3.3.8", 400],
  ["mcl01", "3.3.9", 400],
  // Matches no transaction of ours, so it is discarded later.
  ["bcast", "3.3.10", "accepted"],
  ["zeromf", "3.3.11", 483],
  ["cparam01", "3.3.12", 405],
  ["cparam02", "3.3.13", 405],
  ["regescrt", "3.3.14", 405],
  ["sdp01", "3.3.15", 406],
  ["inv2543", "3.4.1", "accepted"],
];

test("all 49 messages have a verdict", () => {
  expect(new Set(VERDICTS.map(([file]) => file)).size).toBe(49);
});

test.each(VERDICTS)("%s (%s) is %s", (file, _, verdict) => {
  let text = readFileSync(join(FOLDER, `${file}.dat`), "latin1");
  // The only file that lacks the final empty line, which is not what it tests.
  if (file === "baddn") text += "\r\n";
  const parsed = parseMessage(text);
  if (!parsed.ok) {
    expect(parsed.refusal.method === undefined ? "dropped" : parsed.refusal.status).toBe(verdict);
    return;
  }
  const refusal = parsed.message.kind === "request" ? refusalOf(parsed.message) : undefined;
  expect(refusal?.status ?? "accepted").toBe(verdict);
});

test("what the messages say is read as the RFC explains it", () => {
  const read = (file: string) => {
    const parsed = parseMessage(readFileSync(join(FOLDER, `${file}.dat`), "latin1"));
    if (!parsed.ok) throw new Error(parsed.refusal.reason);
    return parsed.message;
  };
  expect(read("wsinv")).toMatchObject({ toTag: "1918181833n", fromTag: "98asjd8", cseq: 9, method: "INVITE" });
  expect(read("wsinv").via).toMatchObject({ transport: "UDP", host: "192.0.2.2", branch: "390skdjuw" });
  expect(read("wsinv").from.display).toBe('J Rosenberg \\"');
  expect(read("esc01").uri).toBe("sip:sips%3Auser%40example.com@example.net");
  expect(read("lwsdisp").from).toMatchObject({ display: "caller", uri: "sip:caller@example.com" });
  // A second request in the datagram is not part of the first.
  expect(read("dblreq")).toMatchObject({ method: "REGISTER", body: "" });
  expect(read("noreason")).toMatchObject({ status: 100, reason: "" });
});
