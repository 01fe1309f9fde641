import fc from "fast-check";
import twilio from "twilio";
import { expect, test } from "vitest";
import { readReplies } from "./read-replies.ts";

const read = (text: string) => readReplies(new TextEncoder().encode(text));

test("what that provider's own package writes is read", () => {
  const response = new twilio.twiml.MessagingResponse();
  response.message("Thanks & <bye>");
  const second = response.message("");
  second.body("Look:");
  second.media("https://example.com/cat.jpg?a=1&b=2");
  expect(read(response.toString())).toEqual({
    ok: true,
    value: [
      { text: "Thanks & <bye>", mediaUrls: [] },
      { text: "Look:", mediaUrls: ["https://example.com/cat.jpg?a=1&b=2"] },
    ],
  });
});

test.each(["", "ok", "  OK  ", "<Response/>", '<?xml version="1.0"?><Response>\n</Response>'])(
  "%j asks for no reply",
  (text) => {
    expect(read(text)).toEqual({ ok: true, value: [] });
  },
);

test.each([
  ["<Response><Redirect>/more</Redirect></Response>", "Redirect is not carried out here"],
  ['<Response><Message to="+14155550100">Hi</Message></Response>', "to of Message is not carried out here"],
  ["<Response>Hi</Response>", "Response holds no text of its own"],
  ["<Response><Message>Hi</Response>", "unexpected close tag"],
  ["<!DOCTYPE x><Response/>", "must not have a DTD"],
  [`<Response>${"<Message>x</Message>".repeat(11)}</Response>`, "10 messages are the most"],
  [`<Response><Message>${"<Media>u</Media>".repeat(11)}</Message></Response>`, "10 media are the most"],
])("%s is refused: %s", (text, reason) => {
  expect(read(text)).toMatchObject({ ok: false, refusal: { reason: expect.stringContaining(reason) } });
});

test("any bytes are read without a fault", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array(),
        fc.string().map((text) => new TextEncoder().encode(`<${text}`)),
      ),
      (bytes) => {
        expect(typeof readReplies(bytes).ok).toBe("boolean");
      },
    ),
  );
});
