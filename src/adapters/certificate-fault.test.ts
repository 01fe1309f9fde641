import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer } from "node:tls";
import { expect, onTestFinished, test } from "vitest";
import { type Certificate, certificateFor, issuedCertificate } from "../../test/fakes/certificate.ts";
import { newAddressGuard } from "./guard/address-guard.ts";
import { WebhookClient } from "./webhook-client/webhook-client.ts";

/** The fault found in a receiver's certificate when this authority is trusted. */
async function faultOf({ cert, key }: Certificate, ca?: string): Promise<string> {
  const server = createServer({ cert, key }, (socket) => socket.end());
  server.on("tlsClientError", () => {});
  await once(server.listen(0, "127.0.0.1"), "listening");
  const guard = newAddressGuard({ allowedNetworks: ["127.0.0.0/8"] });
  const client = new WebhookClient({ guard, ...(ca !== undefined && { ca: [ca] }) });
  onTestFinished(async () => {
    await client.close();
    server.close();
  });
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const answer = await client.post({ url, headers: {}, body: "" });
  return answer.kind === "failed" ? `${answer.reason}: ${answer.detail}` : `${answer.status}`;
}

test("a certificate that cannot be trusted is reported by its fault", async () => {
  const [own, issued, expired] = await Promise.all([
    certificateFor("127.0.0.1"),
    issuedCertificate("127.0.0.1", 2),
    issuedCertificate("127.0.0.1", -1),
  ]);
  const other = await issuedCertificate("127.0.0.9", 2);
  expect(await faultOf(own)).toBe("tls: Its certificate is self-signed.");
  expect(await faultOf(issued)).toBe("tls: Its certificate's issuer is unknown.");
  expect(await faultOf(expired, expired.ca)).toBe("tls: Its certificate has expired.");
  expect(await faultOf(other, other.ca)).toBe("tls: Its certificate is for another name than 127.0.0.1.");
  expect(await faultOf(issued, issued.ca)).not.toContain("certificate");
});
