import { expect, test } from "vitest";
import { answerTo, inviteDraft, TestLeg } from "../../../test/fakes/sip-legs.ts";
import { type Dialog, dialogOfResponse, nextHopOf, requestInDialog } from "./dialog.ts";

const DIALOG: Dialog = {
  callId: "call",
  localTag: "us",
  remoteTag: "them",
  local: "<sip:us@a.example>;tag=us",
  remote: "<sip:them@b.example>;tag=them",
  localCseq: 1,
  remoteCseq: -1,
  target: "sip:them@b.example",
  routes: [],
};
const LOOSE = "<sip:loose.example;lr>";
const STRICT = "<sip:strict.example>";

const requestBy = (...routes: readonly string[]) =>
  requestInDialog({ ...DIALOG, routes }, { method: "BYE", cseq: 2, lines: "" });

test("a request without routes goes to the target", () => {
  const request = requestBy();
  expect(request).toMatchObject({ uri: DIALOG.target, routes: [], from: DIALOG.local, to: DIALOG.remote, body: "" });
  expect(nextHopOf(request)).toBe("sip:them@b.example");
});

test("a loose route is asked first, and the request names the target", () => {
  const request = requestBy(LOOSE, STRICT);
  expect(request).toMatchObject({ uri: DIALOG.target, routes: [LOOSE, STRICT] });
  expect(nextHopOf(request)).toBe("sip:loose.example;lr");
});

test("a strict route becomes the Request-URI, and the target the last route", () => {
  const request = requestBy(STRICT, LOOSE);
  expect(request).toMatchObject({ uri: "sip:strict.example", routes: [LOOSE, "<sip:them@b.example>"] });
  // The first of the other routes is loose.
  expect(nextHopOf(request)).toBe("sip:loose.example;lr");
  expect(nextHopOf(requestBy(STRICT))).toBe("sip:strict.example");
});

test.each(["<tel:+14155550100;lr>", "nonsense"])("a route to which nothing can be sent is ignored: %s", (route) => {
  const request = requestBy(route);
  expect(request).toMatchObject({ uri: DIALOG.target, routes: [route] });
  expect(nextHopOf(request)).toBe(DIALOG.target);
});

test("a dialog keeps up to 20 routes, the nearest first; a longer list is not followed", () => {
  const routesFrom = (count: number) => {
    const routes = Array.from({ length: count }, (_, at) => `<sip:${at}.example;lr>`);
    const response = answerTo(TestLeg.caller().out(), 200, "bob", `Record-Route: ${routes.join(", ")}\r\n`);
    return dialogOfResponse(inviteDraft(), "alice", response)?.routes;
  };
  expect(routesFrom(20)).toHaveLength(20);
  expect(routesFrom(20)?.[0]).toBe("<sip:19.example;lr>");
  expect(routesFrom(21)).toEqual([]);
});
