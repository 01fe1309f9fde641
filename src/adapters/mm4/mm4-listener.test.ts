import { expect, test } from "vitest";
import { afterThisTest, closedAfter } from "../../../test/fakes/closed-after.ts";
import { Peer, Talk, TestLink } from "../../../test/fakes/mm4-peer.ts";
import { encodeMm4 } from "../../wire/mm4/encode.ts";
import type { DeliveryReport, ForwardRequest, Mm4Message, Response } from "../../wire/mm4/messages.ts";
import { parseMm4 } from "../../wire/mm4/parse.ts";

async function startBoth(options?: Parameters<typeof TestLink.open>[1]) {
  const peer = closedAfter(await Peer.start());
  const listener = closedAfter(await TestLink.open(peer.port, options));
  return { peer, listener, port: listener.link.port };
}

async function talkTo(port: number): Promise<Talk> {
  const talk = await Talk.with(port);
  afterThisTest(() => talk.end());
  expect(await talk.hear()).toMatch(/^220 us\.example ESMTP/);
  expect(await talk.ask("EHLO them.example")).toMatch(/^250/);
  return talk;
}

const US = "+15551230001/TYPE=PLMN@us.example";
const THEM = "+15559870002/TYPE=PLMN@them.example";
const latin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1");

const forward = (rest: Partial<ForwardRequest> = {}): string =>
  latin1(
    encodeMm4({
      kind: "forward",
      transactionId: "T-7",
      messageId: "<M-7@them.example>",
      from: THEM,
      to: [US, "+15551110009/TYPE=PLMN@others.example"],
      originatorSystem: "system@mmsc.them.example",
      isAckRequested: true,
      isReportRequested: false,
      subject: "",
      text: "hi 🙂",
      media: [{ contentType: "image/gif", name: "x.gif", bytes: Uint8Array.from([71, 73, 70, 0, 255]) }],
      ...rest,
    }),
  );

const report = (rest: Partial<DeliveryReport> = {}): string =>
  latin1(
    encodeMm4({
      kind: "deliveryReport",
      transactionId: '"T-8"',
      messageId: '"OM1@us.example"',
      from: THEM,
      to: US,
      originatorSystem: "system@mmsc.them.example",
      isAckRequested: true,
      date: new Date("2026-05-04T03:00:00Z"),
      status: "Retrieved",
      statusText: "",
      ...rest,
    }),
  );

const sentBy = (peer: Peer): readonly Mm4Message[] =>
  peer.mails.flatMap(({ text }) => {
    const parsed = parseMm4(Buffer.from(text, "latin1"));
    return parsed.ok ? [parsed.value] : [];
  });

test("an MMS is told to the listener, and the peer is answered when the listener has it", async () => {
  let take = (_: "taken") => {};
  const taken = new Promise<"taken">((resolve) => {
    take = resolve;
  });
  const { peer, listener, port } = await startBoth({ take: () => taken });
  const talk = await talkTo(port);
  const answer = talk.mail([US], forward());
  await listener.until(() => listener.inbounds.length === 1);
  expect(peer.mails).toEqual([]);
  take("taken");
  expect(await answer).toMatch(/^250/);
  expect(listener.inbounds[0]).toEqual({
    carrier: "them",
    link: "carrier",
    messageId: "M-7@them.example",
    from: "+15559870002",
    recipients: ["+15551230001"],
    to: ["+15551230001", "+15551110009"],
    subject: "",
    text: "hi 🙂",
    media: [{ contentType: "image/gif", name: "x.gif", bytes: Uint8Array.from([71, 73, 70, 0, 255]) }],
  });
  // The response by MM4 repeats the ids as the peer spelled them.
  await peer.until(() => peer.mails.length === 1);
  expect(peer.mails[0]).toMatchObject({ from: "system-user@us.example", to: ["system@mmsc.them.example"] });
  expect(sentBy(peer)).toEqual([
    {
      kind: "response",
      answers: "forward",
      transactionId: "T-7",
      messageId: "<M-7@them.example>",
      sender: "system-user@us.example",
      recipient: "system@mmsc.them.example",
      date: new Date("2026-05-04T03:02:01Z"),
      status: "Ok",
      statusText: "",
    },
  ]);
});

test("a peer that asks for reports gets one for every recipient", async () => {
  const { peer, port } = await startBoth();
  const talk = await talkTo(port);
  const second = "+15551230003/TYPE=PLMN@us.example";
  expect(await talk.mail([US, second], forward({ isAckRequested: false, isReportRequested: true }))).toMatch(/^250/);
  await peer.until(() => peer.mails.length === 2);
  const reports = sentBy(peer).flatMap((message) => (message.kind === "deliveryReport" ? [message] : []));
  expect(reports.map(({ from, to, status, messageId }) => ({ from, to, status, messageId }))).toEqual(
    expect.arrayContaining(
      [US, second].map((from) => ({ from, to: THEM, status: "Retrieved", messageId: "<M-7@them.example>" })),
    ),
  );
});

test.each([
  ["Retrieved", "delivered"],
  ["Forwarded", "delivered"],
  ["Expired", "expired"],
  ["Rejected", "rejected"],
  ["Unreachable", "failed"],
  ["Unrecognised", "failed"],
  ["Deferred", "enroute"],
  ["Indeterminate", "unknown"],
] as const)("a report of %s is a receipt of %s", async (status, state) => {
  const { peer, listener, port } = await startBoth();
  const talk = await talkTo(port);
  expect(await talk.mail([US], report({ status, statusText: "why" }))).toMatch(/^250/);
  expect(listener.receipts).toEqual([
    {
      carrier: "them",
      carrierId: "OM1@us.example",
      state,
      errorCode: status,
      receivedOn: new Date("2026-05-04T03:02:01Z"),
    },
  ]);
  await peer.until(() => peer.mails.length === 1);
  expect(sentBy(peer)).toMatchObject([{ kind: "response", answers: "deliveryReport", transactionId: '"T-8"' }]);
});

test("a response that refuses is a receipt of the whole message", async () => {
  const { listener, port } = await startBoth();
  const talk = await talkTo(port);
  const response: Response = {
    kind: "response",
    answers: "forward",
    transactionId: '"OM5"',
    messageId: '"whatever"',
    sender: "a@them.example",
    recipient: "system-user@us.example",
    status: "Error-content-not-accepted",
    statusText: "no films",
  };
  expect(await talk.mail(["system-user@us.example"], latin1(encodeMm4(response)))).toMatch(/^250/);
  expect(await talk.mail(["system-user@us.example"], latin1(encodeMm4({ ...response, status: "Ok" })))).toMatch(/^250/);
  expect(listener.receipts).toMatchObject([
    {
      carrierId: "OM5@us.example",
      state: "rejected",
      errorCode: "Error-content-not-accepted",
    },
  ]);
  expect(listener.lateAnswers).toEqual([]);
});

test("addresses without a host in the message are taken, as real centres write them", async () => {
  const { listener, port } = await startBoth();
  const talk = await talkTo(port);
  const bare = { from: "+15559870002/TYPE=PLMN", to: ["+15551230001/TYPE=PLMN"] };
  expect(await talk.mail([US], forward(bare))).toMatch(/^250/);
  expect(listener.inbounds).toMatchObject([{ from: "+15559870002", to: ["+15551230001"] }]);
});

test("a centre that names our message in its own way is understood in its reports", async () => {
  const { listener, port } = await startBoth();
  const talk = await talkTo(port);
  const response: Response = {
    kind: "response",
    answers: "forward",
    transactionId: "OM6",
    messageId: "9-12-qf1314@mmsc",
    sender: "system-user@them.example",
    recipient: "system-user@us.example",
    status: "Ok",
    statusText: "",
  };
  expect(await talk.mail(["system-user@us.example"], latin1(encodeMm4(response)))).toMatch(/^250/);
  expect(await talk.mail([US], report({ messageId: '"9-12-qf1314@mmsc"' }))).toMatch(/^250/);
  expect(listener.receipts).toMatchObject([{ carrierId: "OM6@us.example", state: "delivered" }]);
});

test("what the listener cannot take the peer is asked to keep", async () => {
  let isDown = true;
  const { listener, port, peer } = await startBoth({
    take: async () => {
      if (isDown) throw new Error("the store is away");
      return "taken";
    },
  });
  const talk = await talkTo(port);
  expect(await talk.mail([US], forward())).toBe("451 4.3.0 Not accepted now, try again later");
  expect(await talk.mail([US], report())).toMatch(/^451/);
  expect(peer.mails).toEqual([]);
  isDown = false;
  expect(await talk.mail([US], forward())).toMatch(/^250/);
  expect(listener.inbounds).toHaveLength(2);
});

test("a listener that never comes back holds the peer for a while and not for ever", async () => {
  const { port } = await startBoth({ take: () => new Promise(() => {}), times: { takeMsMax: 50 } });
  const talk = await talkTo(port);
  expect(await talk.mail([US], forward())).toMatch(/^451/);
});

test("outsiders are refused, from every network that is not named", async () => {
  const { port } = await startBoth({ listen: { allowedNetworks: ["192.0.2.0/24", "2001:db8::/32"] } });
  const talk = await Talk.with(port);
  expect(await talk.hear()).toMatch(/^554 5\.7\.1/);
  expect(await talk.hear()).toBe("");
});

test("nothing is relayed, whatever the sender and however the address is spelled", async () => {
  const { listener, port } = await startBoth();
  const talk = await talkTo(port);
  for (const from of ["", "a@us.example", "a@them.example"]) {
    expect(await talk.ask(`MAIL FROM:<${from}>`)).toMatch(/^250/);
    for (const to of [
      "a@them.example",
      "+1555/TYPE=PLMN@us.example.evil.example",
      "a%b@c.example",
      "a@us.example@evil.example",
    ]) {
      expect(await talk.ask(`RCPT TO:<${to}>`)).toMatch(/^5/);
    }
    expect(await talk.ask("DATA")).toMatch(/^503/);
    expect(await talk.ask("RSET")).toMatch(/^250/);
  }
  expect(listener.inbounds).toEqual([]);
});

test.each([
  ["a mail that is no MM4", "Subject: hi\r\n\r\nhi", /^554 5\.6\.0 .*X-Mms-Message-Type/],
  ["a forward from no phone", forward({ from: "someone@them.example" }), /^553 5\.1\.7/],
  ["a message of another kind", forward().replace("MM4_forward.REQ", "MM1_submit.REQ"), /^554 5\.6\.0/],
])("%s is refused for good, with the reason", async (_, mail, answer) => {
  const { listener, port } = await startBoth();
  const talk = await talkTo(port);
  expect(await talk.mail([US], mail)).toMatch(answer);
  expect(listener.inbounds).toEqual([]);
  expect(await talk.mail([US], forward())).toMatch(/^250/);
});

test("a message for a number that no one has here is refused", async () => {
  const { peer, port } = await startBoth({ take: async () => "unknownRecipient" });
  const talk = await talkTo(port);
  expect(await talk.mail([US], forward())).toMatch(/^550 5\.1\.1/);
  expect(await talk.mail(["system-user@us.example"], forward())).toMatch(/^553 5\.1\.3/);
  expect(peer.mails).toEqual([]);
});

test("a message that is too big is refused, told before or not, and the connection lives", async () => {
  const { port } = await startBoth({ listen: { sizeMax: 20_000 } });
  const talk = await talkTo(port);
  expect(await talk.ask("MAIL FROM:<a@them.example> SIZE=30000")).toMatch(/^552/);
  const media = [{ contentType: "image/gif", name: "x.gif", bytes: new Uint8Array(50_000) }];
  expect(await talk.mail([US], forward({ media }))).toMatch(/^552/);
  expect(await talk.mail([US], forward())).toMatch(/^250/);
});

test("connections of one address are bounded, and a place that is left is free again", async () => {
  const { port } = await startBoth({ listen: { connectionsMax: 2 } });
  const first = await talkTo(port);
  await talkTo(port);
  const third = await Talk.with(port);
  expect(await third.hear()).toMatch(/^421 4\.7\.0/);
  expect(await first.ask("QUIT")).toMatch(/^221/);
  expect(await first.hear()).toBe("");
  await talkTo(port);
});

test("a mail that breaks off in the middle is nothing, and holds nothing up", async () => {
  const { listener, port } = await startBoth();
  const talk = await talkTo(port);
  await talk.ask("MAIL FROM:<a@them.example>");
  await talk.ask(`RCPT TO:<${US}>`);
  expect(await talk.ask("DATA")).toMatch(/^354/);
  talk.say(forward().slice(0, 500));
  talk.end();
  expect(await (await talkTo(port)).mail([US], forward())).toMatch(/^250/);
  expect(listener.inbounds).toHaveLength(1);
  // `close` waits for mail that is being taken.
  await listener.close();
});
