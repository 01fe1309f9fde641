// OpenSSL certificates for TLS peers on loopback.

import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

const NEW_KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
const openssl = (...command: readonly string[]) => promisify(execFile)("openssl", [...command]);

/** A self-signed certificate that is valid for these addresses only. */
export function certificateFor(...addresses: readonly string[]): Promise<Certificate> {
  return inFolder(async (folder) => {
    const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
    const subject = ["-subj", "/CN=sip", "-addext", namesOf(addresses)];
    await openssl("req", "-x509", ...NEW_KEY, "-days", "2", "-keyout", key, "-out", cert, ...subject);
    return pemOf(cert, key);
  });
}

/** Issued for an address by a new authority, whose certificate is `ca`. Valid for `days` days. */
export function issuedCertificate(address: string, days: number): Promise<Certificate & { readonly ca: string }> {
  return inFolder(async (folder) => {
    const at = (name: string) => join(folder, name);
    const authority = ["-days", "2", "-keyout", at("ca-key.pem"), "-out", at("ca.pem"), "-subj", "/CN=authority"];
    await openssl("req", "-x509", ...NEW_KEY, ...authority);
    await openssl("req", "-new", ...NEW_KEY, "-keyout", at("key.pem"), "-out", at("request.pem"), "-subj", "/CN=sip");
    await writeFile(at("names.txt"), namesOf([address]));
    const issuer = ["-CA", at("ca.pem"), "-CAkey", at("ca-key.pem"), "-CAcreateserial", "-extfile", at("names.txt")];
    const issued = ["-in", at("request.pem"), "-out", at("cert.pem"), "-days", String(days)];
    await openssl("x509", "-req", ...issued, ...issuer);
    return { ...(await pemOf(at("cert.pem"), at("key.pem"))), ca: await readFile(at("ca.pem"), "utf8") };
  });
}

/** Mbed TLS, which Linphone uses, compares an address with DNS names only. */
function namesOf(addresses: readonly string[]): string {
  return `subjectAltName=${addresses.flatMap((address) => [`IP:${address}`, `DNS:${address}`]).join(",")}`;
}

async function pemOf(cert: string, key: string): Promise<Certificate> {
  return { cert: await readFile(cert, "utf8"), key: await readFile(key, "utf8") };
}

async function inFolder<Made>(make: (folder: string) => Promise<Made>): Promise<Made> {
  const folder = await mkdtemp(join(tmpdir(), "tandem-tls-"));
  try {
    return await make(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}
