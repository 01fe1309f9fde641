import type { LookupAddress } from "node:dns";
import fc from "fast-check";
import { expect, test } from "vitest";
import { newAddressGuard } from "./address-guard.ts";
import type { ResolveName } from "./resolve-name.ts";

const PUBLIC = "93.184.216.34";

function answers(...addresses: readonly string[]): readonly LookupAddress[] {
  return addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
}

test("allowed networks and ports are reached, their neighbours are not", () => {
  const guard = newAddressGuard({ allowedNetworks: ["loopback", "10.1.0.0/16", "fd00::5"], allowedPorts: [443, 8080] });
  const isOk = (url: string) => guard.checkUrl(url).ok;
  expect(isOk("https://127.0.0.1/")).toBe(true);
  expect(isOk("https://localhost./")).toBe(true);
  expect(isOk("http://[::1]:8080/")).toBe(true);
  expect(isOk("http://10.1.255.1:8080/")).toBe(true);
  expect(isOk("https://[fd00::5]/")).toBe(true);
  expect(isOk("https://[fd00::6]/")).toBe(false);
  expect(isOk("https://10.2.0.1/")).toBe(false);
  expect(isOk("http://127.0.0.1/")).toBe(false);
  expect(isOk("https://example.com:8443/")).toBe(false);
  expect(guard.mayConnect("10.1.0.1", 4, 443)).toBe(true);
  expect(guard.mayConnect("10.1.0.1", 4, 80)).toBe(false);
  expect(guard.mayConnect("10.1.0.1", 6, 443)).toBe(false);
  expect(guard.mayConnect("not an address", 4, 443)).toBe(false);
  expect(() => newAddressGuard({ allowedNetworks: ["10.0.0.0/40"] })).toThrow("TANDEM_ALLOWED_NETWORKS");
});

test.each([
  "https://example.com/hook?a=b#c",
  "http://example.com.:8080/",
  "https://bücher.example/",
  "https://under_score.example/",
  `http://${PUBLIC}/`,
  "http://[2606:4700::1111]/",
  `http://[::ffff:${PUBLIC}]/`,
])("%s may be called", (url) => {
  expect(newAddressGuard({ allowedNetworks: [] }).checkUrl(url).ok).toBe(true);
});

test("only the allowed addresses of a name are returned", async () => {
  const { signal } = new AbortController();
  const resolve: ResolveName = async () => answers("10.0.0.1", PUBLIC, "::1", "2606:4700::1111");
  const guard = newAddressGuard({ allowedNetworks: [], resolve });
  expect(await guard.addressesOf("mixed.test", 443, signal)).toEqual(answers(PUBLIC, "2606:4700::1111"));
  const refusing = newAddressGuard({ allowedNetworks: [], resolve: async () => answers("127.0.0.1") });
  await expect(refusing.addressesOf("loop.test", 443, signal)).rejects.toMatchObject({ reason: "refused-address" });
});

test("a URL of an origin that was checked before leads where it leads by itself", () => {
  const origins = ["https://example.com", "http://example.com:8080", "https://EXAMPLE.com", "https://me@example.com"];
  const part = fc.oneof(
    fc.constantFrom("/", "//", ".", "..", "/.", "/../", "%2e", "%2E%2e/", "?", "#", "@", ":", "\\", "%", "'", '"'),
    fc.string({ maxLength: 4 }),
    fc.string({ maxLength: 4, unit: "binary" }),
  );
  const guard = newAddressGuard({ allowedNetworks: [] });
  fc.assert(
    fc.property(fc.constantFrom(...origins), fc.array(part, { maxLength: 6 }), (origin, parts) => {
      guard.targetOf(`${origin}/`);
      const url = `${origin}${parts.join("")}`;
      const checked = guard.checkUrl(url);
      const target = guard.targetOf(url);
      if (!checked.ok || !target.ok) {
        expect(target).toEqual(checked);
        return;
      }
      const { origin: name, pathname, search } = checked.value;
      expect([target.value.origin.name, target.value.path]).toEqual([name, pathname + search]);
    }),
    { numRuns: 2_000, examples: [["https://example.com", ["/", "?"]]] },
  );
});

test("a URL that is too long is refused, whatever its origin", () => {
  const guard = newAddressGuard({ allowedNetworks: [] });
  const url = (length: number) => `https://example.com/${"x".repeat(length - "https://example.com/".length)}`;
  for (let time = 0; time < 2; time++) {
    expect(guard.targetOf(url(2_048))).toMatchObject({ value: { origin: { host: "example.com" } } });
    expect(guard.targetOf(url(2_049))).toMatchObject({ ok: false, refusal: { reason: "bad-url" } });
  }
});
