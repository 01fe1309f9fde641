// Where an operator's findings lead to: each to a screen that there is, and to the list of just what it counts.

import { expect, test } from "vitest";
import { CAUSES } from "../../src/domain/attention/index.ts";
import { PICTURES } from "./pictures.ts";

interface Finding {
  readonly id: string;
  readonly cause: string;
  readonly count: number;
  readonly firstOn: string | null;
  readonly resource: { readonly kind: string; readonly id: string } | null;
  readonly accountSid: string | null;
}

interface Loaded {
  pageOf(finding: Finding): { readonly to: string; readonly verb: string };
  pageOfReconcile(name: string): string;
}

/** They need the types of a page, which tests do not have. */
const load = () =>
  import(
    new URL("../../portal/src/screens/operator/finding-page.ts", import.meta.url).href
  ) as unknown as Promise<Loaded>;

const ADDRESSES = Object.keys(PICTURES).map((path) => new RegExp(`^${path.replace(/\$\w+/g, "[^/]+")}$`));
const isAddress = (to: string) =>
  ADDRESSES.some((address) => address.test(new URL(to, "http://localhost").pathname)) && !/undefined|=null/.test(to);
const ofCause = (cause: string, accountSid: string | null): Finding => ({
  id: `${cause}:1003`,
  cause,
  count: 2,
  firstOn: "2026-01-01T00:00:00.000Z",
  resource: { kind: "Any", id: "OM1" },
  accountSid,
});

test.each(CAUSES)("%s leads to a screen, whether it is of one account or of several", async (cause) => {
  const { pageOf } = await load();
  for (const accountSid of ["AC1", null]) {
    for (const finding of [ofCause(cause, accountSid), { ...ofCause(cause, accountSid), firstOn: null }]) {
      const { to, verb } = pageOf(finding);
      expect({ to, isAddress: isAddress(to) }).toMatchObject({ isAddress: true });
      expect(verb).toMatch(/^[A-Z]/);
    }
  }
});

test("every reconcile leads to what it brings up to date, or to the processes that run it", async () => {
  const { pageOfReconcile } = await load();
  const names = ["import-campaigns", "activate-numbers", "follow-ports", "remove-recordings", "delete-old-records"];
  for (const name of [...names, "remove-media", "one to come"]) expect(isAddress(pageOfReconcile(name))).toBe(true);
  expect(pageOfReconcile("follow-ports")).toBe("/operator/ports");
  expect(pageOfReconcile("remove-media")).toBe("/operator/nodes");
});

test("failed messages of one account lead to the list of just those", async () => {
  const { pageOf } = await load();
  const { to } = pageOf(ofCause("MessagesFailed", "AC1"));
  const { pathname, searchParams } = new URL(to, "http://localhost");
  expect(pathname).toBe("/operator/accounts/AC1");
  expect(Object.fromEntries(searchParams)).toEqual({
    tab: "messages",
    status: "Failed",
    error: "1003",
    since: "2026-01-01T00:00:00.000Z",
    sel: "OM1",
  });
});
