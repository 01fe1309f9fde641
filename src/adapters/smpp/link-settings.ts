// The settings of an SMPP link. SMPP 3.4's bounds on fields are checked here, so a link that starts can write its bind.

import { z } from "zod";
import { type EnvironmentLookup, isSecretText, missingSecrets, secretOf } from "../../base/secret-text.ts";
import { across, nameOf, pem } from "../setting-fields.ts";

// 5.2.1-3: C-octet strings; `octetsMax` leaves the NUL out.
const octetString = (octetsMax: number) =>
  z
    .string()
    .max(octetsMax)
    .regex(/^[\x20-\x7e]*$/, "must be printable ASCII");

const PASSWORD_MAX = 8;
const LONG_PASSWORD_MAX = 64;

const password = z
  .string()
  .refine(isSecretText, "env: must be followed by a name")
  .describe(
    `At most ${PASSWORD_MAX} characters (see longPassword), or env:NAME to read it from the environment variable NAME.`,
  );

const tls = z
  .strictObject({
    ca: pem.optional().describe("Whose certificates are believed, instead of the usual ones. PEM text or a path."),
    cert: pem.optional().describe("Our own certificate. PEM text or a path."),
    key: pem.optional().describe("Our certificate's key. PEM text or a path."),
    servername: z.string().min(1).max(253).optional().describe("The name in the SMSC's certificate, when not host."),
    rejectUnauthorized: z.boolean().default(true).describe("Whether the SMSC's certificate must be good."),
  })
  .refine(({ cert, key }) => (cert === undefined) === (key === undefined), {
    ...across,
    message: "cert and key belong together",
  });

const numbering = z.strictObject({
  ton: z.int().min(0).max(255).describe("Type of number."),
  npi: z.int().min(0).max(255).describe("Numbering plan."),
});

export const linkSettings = z
  .strictObject({
    name: nameOf("link"),
    host: z.string().min(1).max(253).describe("The SMSC's name or address."),
    port: z.int().min(1).max(65_535).default(2775).describe("The SMSC's port."),
    tls: z
      .union([z.literal(false), tls])
      .default(false)
      .describe("TLS, or false."),
    systemId: octetString(15).describe("Who we are to the SMSC."),
    password,
    longPassword: z
      .boolean()
      .default(false)
      .describe(
        `Whether the password may have up to ${LONG_PASSWORD_MAX} characters; SMPP 3.4 allows ${PASSWORD_MAX}, and only some SMSCs take more.`,
      ),
    systemType: octetString(12).default("").describe("Asked for by some SMSCs."),
    bind: z
      .enum(["transceiver", "transmitter-receiver"])
      .default("transceiver")
      .describe("One connection for both directions, or one for each; the link is up when all are."),
    windowSize: z.int().min(1).max(1000).default(10).describe("Submits that may wait for their answers at once."),
    maxPerSecond: z.number().min(0.1).max(100_000).optional().describe("Most submits a second. By default no limit."),
    enquireLinkSeconds: z
      .int()
      .min(1)
      .max(3600)
      .default(30)
      .describe("Silence after which an enquire_link is sent to the SMSC."),
    responseSeconds: z.int().min(1).max(600).default(30).describe("Longest wait for the answer to a submit."),
    addressing: z
      .strictObject({
        source: numbering.optional().describe("For every sender but short codes, instead of what its spelling says."),
        shortCode: numbering
          .optional()
          .describe("For short codes as senders, instead of network specific (3) and unknown plan (0)."),
        destination: numbering.optional().describe("For every recipient, instead of what its spelling says."),
      })
      .prefault({})
      .describe(
        "By default +… is international (1, 1), digits alone are a short code (3, 0), the rest letters (5, 0).",
      ),
    longMessages: z
      .enum(["udh", "sar", "payload"])
      .default("udh")
      .describe("In parts with a header, in parts with sar_ parameters, or whole in message_payload."),
    serviceType: octetString(5).default("").describe("Sent with every message."),
    validity: z
      .enum(["off", "relative", "absolute"])
      .default("relative")
      .describe("How the validity period of a message is sent to the SMSC."),
    receiptIds: z
      .enum(["same", "hex-to-decimal", "decimal-to-hex"])
      .default("same")
      .describe("How the id in an answer becomes the id in the receipt."),
    sendReference: z
      .boolean()
      .default(true)
      .describe(
        "Whether messages carry user_message_reference, by which the receipt of a message is known whose answer was lost.",
      ),
  })
  .superRefine((link, context) => {
    const fault = passwordFault(link, () => undefined);
    if (fault !== undefined) context.addIssue({ code: "custom", path: ["password"], message: fault });
  }, across)
  .describe("An SMPP link to a carrier.");

export type LinkSettings = z.output<typeof linkSettings>;

/** Why the password cannot be sent; undefined when it can, or when its environment variable is not set. */
export function passwordFault(
  { password, longPassword }: { readonly password: string; readonly longPassword: boolean },
  environment: EnvironmentLookup,
): string | undefined {
  if (typeof password !== "string" || !isSecretText(password)) return undefined;
  if (missingSecrets([password], environment).length > 0) return undefined;
  const text = secretOf(password, environment);
  if (!/^[\x20-\x7e]*$/.test(text)) return "the password must be printable ASCII";
  if (text.length > LONG_PASSWORD_MAX) return `the password must have at most ${LONG_PASSWORD_MAX} characters`;
  if (text.length <= PASSWORD_MAX || longPassword) return undefined;
  return `the password has more than the ${PASSWORD_MAX} characters of SMPP 3.4; set "longPassword": true if the carrier has issued it so`;
}
