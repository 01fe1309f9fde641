// A certificate that vouches for itself, made with OpenSSL, for peers of TLS on loopback.

import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** Good for these addresses, and for nothing else. */
export async function certificateFor(...addresses: readonly string[]): Promise<Certificate> {
  const folder = await mkdtemp(join(tmpdir(), "tandem-tls-"));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  // Mbed TLS, which Linphone uses, compares an address with names only.
  const names = addresses.flatMap((address) => [`IP:${address}`, `DNS:${address}`]).join(",");
  const subject = ["-subj", "/CN=sip", "-addext", `subjectAltName=${names}`];
  await promisify(execFile)("openssl", ["req", "-x509", ...curve, "-keyout", key, "-out", cert, ...subject]);
  const pem = { cert: await readFile(cert, "utf8"), key: await readFile(key, "utf8") };
  await rm(folder, { recursive: true });
  return pem;
}
