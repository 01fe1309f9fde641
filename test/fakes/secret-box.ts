// A box with one key, for tests that do not care which.

import { SecretKeys, secretKey } from "../../src/adapters/secrets.ts";

export function secretBox(octets: Uint8Array): SecretKeys {
  return new SecretKeys([secretKey(octets)]);
}
