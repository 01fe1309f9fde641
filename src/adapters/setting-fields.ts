// Fields that the settings of several adapters share.

import { z } from "zod";
import { isSecretText } from "../base/secret-text.ts";

const LOOPBACK_HOST = /^(?:127(?:\.\d{1,3}){3}|\[::1\]|localhost)$/;

/**
 * For checks across members: they run even when other members are invalid, so that all faults are reported together.
 * The values that they see may then be of any type.
 */
export const across = { when: ({ value }: { readonly value: unknown }) => isObject(value) };

/** The objects of a list, at their indexes; an item that is not an object becomes `{}` and has a fault of its own. */
export function objectsIn<Item extends object>(list: readonly Item[] | undefined): readonly Partial<Item>[] {
  return Array.isArray(list) ? list.map((item) => (isObject(item) ? item : {})) : [];
}

/** Names that an earlier item of the list has too. */
export function repeatedNames(list: readonly { readonly name?: string | undefined }[]): readonly string[] {
  const names = list.flatMap(({ name }) => name ?? []);
  return names.filter((name, index) => names.indexOf(name) !== index);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

const NAME = /^[a-z0-9][a-z0-9-]{0,39}$/;

export const nameOf = (thing: "carrier" | "link" | "provider" | "trunk") =>
  z
    .string()
    .regex(NAME, "up to 40 small letters, digits and dashes are wanted")
    .describe(`Names the ${thing} in ${thing === "carrier" ? "routes and logs" : "logs and metrics"}.`);

export const pem = z.string().min(1).describe("PEM text, or the path of a file that holds it.");

export const secret = z
  .string()
  .min(1)
  .refine(isSecretText, "env: must be followed by a name")
  .describe("The secret itself, or env:NAME to read it from the environment variable NAME.");

export const webhookPath = z
  .string()
  .max(100)
  .regex(/^(?:\/[A-Za-z0-9._~-]+)+$/, "must be a path such as /registry/v1/notifications");

/** Requests carry secrets, so the URL must be https, or http on this machine. */
export function isServiceUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password, search, hash } = new URL(text);
  if (username + password + search + hash !== "") return false;
  return protocol === "https:" || (protocol === "http:" && LOOPBACK_HOST.test(hostname));
}
