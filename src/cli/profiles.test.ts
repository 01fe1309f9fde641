import fc from "fast-check";
import { expect, test } from "vitest";
import { parseProfiles, profilesPath } from "./profiles.ts";

test("profiles are where the XDG specification says", () => {
  expect(profilesPath({ XDG_CONFIG_HOME: "/etc/xdg", HOME: "/home/ann" })).toBe("/etc/xdg/tandem/profiles.json");
  expect(profilesPath({ XDG_CONFIG_HOME: "relative", HOME: "/home/ann" })).toBe(
    "/home/ann/.config/tandem/profiles.json",
  );
  expect(profilesPath({ XDG_CONFIG_HOME: "", HOME: "" })).toBeUndefined();
});

test("what is no file of profiles is reported from one, and nothing throws", () => {
  expect(parseProfiles('{"current":"a","profiles":{"a":{"url":"u","token":"t"}}}')).toEqual({
    current: "a",
    all: new Map([["a", { url: "u", token: "t" }]]),
  });
  expect(parseProfiles('{"profiles":{"a b":{"url":"u"}}}')).toBeUndefined();
  expect(parseProfiles('{"profiles":[]}')).toBeUndefined();
  const anything = fc.oneof(
    fc.string(),
    fc.json(),
    fc.json().map((json) => `{"profiles":${json}}`),
  );
  fc.assert(fc.property(anything, (text) => void parseProfiles(text)));
});
