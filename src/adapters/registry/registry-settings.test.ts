import { describe, expect, test } from "vitest";
import { registryCredentials, registrySettings } from "./registry-settings.ts";

const environment = (name: string) => ({ REGISTRY_SECRET: "s3cret" })[name];
const settings = (more: object = {}) => registrySettings.parse({ upstreamCnpId: "STANDEM", ...more });
const isAllowed = (more: object) => registrySettings.safeParse({ upstreamCnpId: "STANDEM", ...more }).success;

describe("the registry's settings", () => {
  test("need our id alone, and then the registry is not asked", () => {
    expect(settings()).toEqual({
      upstreamCnpId: "STANDEM",
      baseUrl: "https://csp-api.campaignregistry.com/v2",
      webhookPath: "/registry/v1/notifications",
      pollSeconds: 60,
      attemptMs: 5000,
      deadlineMs: 20_000,
      requestsPerSecond: 10,
    });
    expect(registryCredentials(settings(), environment)).toBeUndefined();
  });

  test("take secrets from the environment, and are of no use without them", () => {
    const both = settings({ apiKey: "KEY", secret: "env:REGISTRY_SECRET" });
    expect(registryCredentials(both, environment)).toEqual({ apiKey: "KEY", secret: "s3cret" });
    const missing = settings({ apiKey: "env:NOWHERE", secret: "env:NOWHERE" });
    expect(() => registryCredentials(missing, environment)).toThrow("NOWHERE");
  });

  test.each([
    [{ baseUrl: "https://csp-api-staging.campaignregistry.com/v2" }],
    [{ baseUrl: "http://127.0.0.1:4010/v2" }],
    [{ baseUrl: "http://[::1]:4010" }],
    [{ requestsPerSecond: 0.5 }],
    [{ shareWithCnpId: "DUPSTRM" }],
  ])("allow %o", (more) => expect(isAllowed(more)).toBe(true));

  test.each([
    [{ baseUrl: "http://registry.example/v2" }],
    [{ baseUrl: "http://127.0.0.1.example/v2" }],
    [{ baseUrl: "https://me:secret@registry.example/v2" }],
    [{ baseUrl: "https://registry.example/v2?x=1" }],
    [{ baseUrl: "ftp://registry.example" }],
    [{ apiKey: "KEY" }],
    [{ secret: "s3cret" }],
    [{ apiKey: "KEY", secret: "env:not a name" }],
    [{ upstreamCnpId: "s tandem" }],
    [{ webhookPath: "registry" }],
    [{ webhookPath: "/a?b" }],
    [{ requestsPerSecond: 16 }],
    [{ colour: "blue" }],
  ])("refuse %o", (more) => expect(isAllowed(more)).toBe(false));
});
