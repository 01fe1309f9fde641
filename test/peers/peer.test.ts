import { afterEach, expect, test, vi } from "vitest";
import { requirePeer } from "./peer.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

test("a peer that is here is found", () => {
  expect(requirePeer("sh", "dash", { PATH: "/nowhere:/bin" })).toBe("/bin/sh");
});

test("a missing peer is reported and skipped", () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  expect(requirePeer("no-such-peer", "no-package", { PATH: "/bin" })).toBeUndefined();
  expect(warn).toHaveBeenCalledWith("skipped: no-such-peer is not installed (Debian package no-package)");
});

test("a missing peer fails CI", () => {
  expect(() => requirePeer("no-such-peer", "no-package", { PATH: "/bin", CI: "true" })).toThrow("CI must not skip it");
});
