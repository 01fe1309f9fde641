// Secret keys for tests that do not care which key is used.

import { SecretKeys, secretKey } from "../../src/adapters/secrets.ts";

export function secretBox(octets: Uint8Array): SecretKeys {
  return new SecretKeys([secretKey(octets)]);
}
