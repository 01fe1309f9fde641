// The settings of a SIP trunk: a carrier, or a telephone system, that calls us and is called by us.

import { isIP } from "node:net";
import { z } from "zod";
import { parseNetwork } from "../../base/cidr.ts";
import { across, nameOf, pem, secret } from "../setting-fields.ts";

const tls = z
  .strictObject({
    ca: pem.optional().describe("Whose certificates are believed, instead of the usual ones. PEM text or a path."),
    cert: pem.optional().describe("Our own certificate. PEM text or a path."),
    key: pem.optional().describe("Our certificate's key. PEM text or a path."),
    servername: z.string().min(1).max(253).optional().describe("The name in the trunk's certificate, when not host."),
    rejectUnauthorized: z.boolean().default(true).describe("Whether the trunk's certificate must be good."),
  })
  .refine(({ cert, key }) => (cert === undefined) === (key === undefined), {
    ...across,
    message: "cert and key belong together",
  });

/** An address, a network, or an address with a port where several trunks share an address. */
export function isSource(text: string): boolean {
  return parseNetwork(text) !== undefined || isAddressWithPort(text);
}

function isAddressWithPort(text: string): boolean {
  const match = /^(?:\[([0-9A-Fa-f:.]+)\]|([0-9.]+)):(\d{1,5})$/.exec(text);
  return match !== null && isIP(match[1] ?? match[2] ?? "") !== 0 && Number(match[3]) <= 65_535;
}

const credentials = z.strictObject({
  username: z.string().min(1).max(128),
  password: secret,
  realm: z.string().min(1).max(255).optional().describe("Only for challenges of this realm. Default: any."),
});

const digits = (what: string) =>
  z
    .string()
    .regex(/^\d{0,6}$/, "at most 6 digits are wanted")
    .describe(what);

export const trunkSettings = z
  .strictObject({
    name: nameOf("trunk"),
    host: z
      .string()
      .min(1)
      .max(253)
      .optional()
      .describe("The trunk's name or address. Without a port, a name is looked up by NAPTR and SRV."),
    port: z.int().min(1).max(65_535).optional().describe("The trunk's port."),
    transport: z
      .enum(["udp", "tcp", "tls"])
      .optional()
      .describe(
        "How calls go out. Default: as NAPTR says, else udp. With registrar: how it must register; default: any.",
      ),
    tls: tls.optional().describe("For the transport tls."),
    priority: z.int().min(0).max(1000).default(10).describe("Trunks of a lower number are tried first."),
    outbound: z.boolean().default(true).describe("Whether calls go out by this trunk."),
    sources: z
      .array(z.string().refine(isSource, "an address, a network such as 192.0.2.0/24, or address:port"))
      .max(100)
      .optional()
      .describe("Where its calls come from. Default: the addresses of host."),
    credentials: credentials.optional().describe("Who we are when the trunk asks (digest)."),
    callers: z
      .array(credentials)
      .max(20)
      .optional()
      .describe("Who the trunk is: calls must prove one of these by digest, from any of its sources."),
    register: z
      .strictObject({
        expiresSeconds: z.int().min(60).max(86_400).default(3600).describe("For how long a registration is asked."),
        user: z.string().min(1).max(128).optional().describe("The user that is registered. Default: the username."),
      })
      .optional()
      .describe("Registers with the trunk, which then sends its calls to us. Needs credentials."),
    registrar: z
      .strictObject({
        username: z.string().min(1).max(128),
        password: secret,
        maxContacts: z
          .int()
          .min(1)
          .max(10)
          .default(1)
          .describe("Most addresses at once; a further one replaces the oldest."),
        maxExpiresSeconds: z
          .int()
          .min(60)
          .max(3600)
          .default(120)
          .describe("The longest time until it must register again, also after a restart of ours."),
        requestUri: z
          .enum(["number", "contact"])
          .default("number")
          .describe("What it is called by: the called number at its registered address, or that address as it stands."),
      })
      .optional()
      .describe("The trunk registers with us, from any address, and its calls prove this user. Instead of host."),
    domain: z.string().min(1).max(253).optional().describe("The domain in From and in the called URI. Default: host."),
    numbers: z
      .strictObject({
        countryCode: digits("The country of national numbers, such as 1 or 49.").default(""),
        nationalPrefix: digits("What stands before national numbers, such as 0.").default(""),
        internationalPrefix: digits("What stands before international numbers, such as 00 or 011.").default("00"),
        called: z
          .enum(["e164", "digits", "prefixed", "national"])
          .default("e164")
          .describe("+4930…, 4930…, 004930… or, within countryCode, 030…: how called numbers are sent."),
        caller: z
          .enum(["e164", "digits", "prefixed", "national"])
          .default("e164")
          .describe("The same for the caller's number."),
      })
      .prefault({})
      .describe("How numbers are written, and read where they are not in E.164."),
    calledIn: z
      .array(z.enum(["request-uri", "to", "p-called-party-id"]))
      .min(1)
      .max(3)
      .default(["request-uri", "to", "p-called-party-id"])
      .describe("Where the called number stands, the likeliest place first."),
    callerIn: z
      .enum(["p-asserted-identity", "from"])
      .default("p-asserted-identity")
      .describe("Where the caller's number stands; From is used where the other is missing."),
    assertIdentity: z.boolean().default(true).describe("Whether our calls carry P-Asserted-Identity."),
    diversion: z
      .enum(["none", "diversion", "history-info", "both"])
      .default("both")
      .describe("How a forwarded call names the number that forwarded it."),
    codecs: z
      .array(z.enum(["PCMU", "PCMA"]))
      .min(1)
      .max(2)
      .default(["PCMU", "PCMA"])
      .describe("In order of preference."),
    srtp: z.boolean().default(false).describe("Whether media is encrypted (SDES); needs the transport tls."),
    media: z
      .enum(["sdp", "latch"])
      .default("sdp")
      .describe("latch: audio is sent to where the trunk's comes from, as is needed for peers behind a NAT."),
    mediaNetworks: z
      .array(z.string().refine((text) => parseNetwork(text) !== undefined, "an address or a network"))
      .max(100)
      .default([])
      .describe("For latch: where its audio may come from, besides the address of its signalling."),
    optionsSeconds: z.int().min(0).max(3600).default(30).describe("How often its health is asked; 0: never."),
    failoverSeconds: z
      .int()
      .min(1)
      .max(32)
      .default(6)
      .describe("How long the trunk may be silent before the next one is tried."),
    maxCalls: z.int().min(1).max(100_000).optional().describe("Most calls at once. By default no limit."),
    maxCallsPerSecond: z.number().min(0.1).max(10_000).optional().describe("Most new calls a second, inbound."),
  })
  .refine(({ register, credentials }) => !register || credentials, {
    ...across,
    message: "register needs credentials",
  })
  .refine(({ host, registrar }) => (host === undefined) !== (registrar === undefined), {
    ...across,
    message: "either host or registrar is wanted",
  })
  .refine(({ port, tls, register, sources, registrar }) => !registrar || !(port ?? tls ?? register ?? sources), {
    ...across,
    message: "port, tls, register and sources need a host",
  })
  .refine(({ srtp, transport }) => !srtp || transport === "tls", { ...across, message: "srtp needs the transport tls" })
  .refine(({ media, mediaNetworks }) => media === "latch" || mediaNetworks.length === 0, {
    ...across,
    message: "mediaNetworks needs media latch",
  })
  .describe("A SIP trunk.");

export type TrunkSettings = z.output<typeof trunkSettings>;
