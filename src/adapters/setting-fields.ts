// Fields that the settings of several adapters share.

import { z } from "zod";
import { isSecretText } from "../base/secret-text.ts";

const LOOPBACK_HOST = /^(?:127(?:\.\d{1,3}){3}|\[::1\]|localhost)$/;

export const nameOf = (thing: "link" | "provider" | "trunk") =>
  z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,39}$/)
    .describe(`Names the ${thing} in logs and metrics: small letters, digits and dashes.`);

export const pem = z.string().min(1).describe("PEM text, or the path of a file that holds it.");

export const secret = z
  .string()
  .min(1)
  .refine(isSecretText, "env: must be followed by a name")
  .describe("The secret itself, or env:NAME to read it from the environment variable NAME.");

export const webhookPath = z
  .string()
  .max(100)
  .regex(/^(?:\/[A-Za-z0-9._~-]+)+$/);

/** Requests carry secrets, so the URL must be https, or http on this machine. */
export function isServiceUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password, search, hash } = new URL(text);
  if (username + password + search + hash !== "") return false;
  return protocol === "https:" || (protocol === "http:" && LOOPBACK_HOST.test(hostname));
}
