// The settings of an MM4 link in the configuration file.

import { z } from "zod";
import { parseNetwork } from "../../base/cidr.ts";
import { isSecretText } from "../../base/secret-text.ts";
import { across, nameOf, pem } from "../setting-fields.ts";

const hostname = z
  .string()
  .max(253)
  .regex(/^(?:[A-Za-z0-9_-]{1,63}\.)*[A-Za-z0-9_-]{1,63}$/, "must be a host's name");

const tls = z.strictObject({
  mode: z
    .enum(["none", "starttls", "implicit"])
    .default("none")
    .describe("None, TLS asked for by STARTTLS and insisted on, or TLS from the first octet."),
  ca: pem.optional().describe("Whose certificates are believed, instead of the usual ones. PEM text or a path."),
  servername: hostname.optional().describe("The name in the peer's certificate, when not host."),
  rejectUnauthorized: z.boolean().default(true).describe("Whether the peer's certificate must be good."),
});

const listen = z.strictObject({
  host: z.string().min(1).max(253).default("127.0.0.1").describe("The address to listen on."),
  port: z.int().min(0).max(65_535).describe("The port to listen on; 0 for any that is free."),
  allowedNetworks: z
    .array(z.string().refine((text) => parseNetwork(text) !== undefined, "must be a network such as 192.0.2.0/24"))
    .min(1)
    .max(64)
    .describe("Where the peer connects from. Other connections are refused."),
  sizeMax: z.int().min(10_000).max(50_000_000).default(5_000_000).describe("Largest message taken, in octets as sent."),
  connectionsMax: z.int().min(1).max(100).default(10).describe("Most connections from one address at once."),
  tls: z.strictObject({ cert: pem, key: pem }).optional().describe("Our certificate; with it STARTTLS is offered."),
});

export const mm4Settings = z
  .strictObject({
    name: nameOf("link"),
    host: z.string().min(1).max(253).describe("The name or address of the peer's MMS centre."),
    port: z.int().min(1).max(65_535).default(25).describe("Its port."),
    tls: tls.prefault({}),
    user: z.string().min(1).max(255).optional().describe("Who we are to the peer, where it asks."),
    password: z
      .string()
      .min(1)
      .max(255)
      .refine(isSecretText, "env: must be followed by a name")
      .optional()
      .describe("The password itself, or env:NAME to read it from the environment variable NAME."),
    ourHost: hostname.describe("The host in our addresses: +1555…/TYPE=PLMN@ourHost."),
    peerHost: hostname.describe("The host in the addresses of the peer's subscribers."),
    messageSizeMax: z
      .int()
      .min(10_000)
      .max(50_000_000)
      .default(1_500_000)
      .describe(
        "Largest message the peer takes, in octets as sent: a third more than its media. Larger ones are rejected.",
      ),
    maxConnections: z.int().min(1).max(100).default(4).describe("Most connections to the peer at once."),
    responseSeconds: z.int().min(1).max(600).default(60).describe("Longest wait for an answer of the peer."),
    listen,
  })
  .refine(({ user, password }) => (user === undefined) === (password === undefined), {
    ...across,
    message: "user and password belong together",
  })
  .describe("An MM4 link to a carrier's MMS centre.");

export type Mm4Settings = z.output<typeof mm4Settings>;
